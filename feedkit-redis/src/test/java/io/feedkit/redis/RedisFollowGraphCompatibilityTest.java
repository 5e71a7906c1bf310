package io.feedkit.redis;

import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisFollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final TestRedis redis;
    private final WritableFollowGraph graph;

    RedisFollowGraphCompatibilityTest(Topology topology) {
        redis = new TestRedis(topology.uri().get());
        graph = new RedisFollowGraph(redis.link(), redis.keys(), redis.timer());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected WritableFollowGraph graph() {
        return graph;
    }
}
