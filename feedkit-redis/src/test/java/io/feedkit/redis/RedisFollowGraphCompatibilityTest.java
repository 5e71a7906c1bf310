package io.feedkit.redis;

import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import org.junit.jupiter.api.AfterEach;

class RedisFollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final TestRedis redis = new TestRedis();
    private final WritableFollowGraph graph = new RedisFollowGraph(redis.link(), redis.keys(), redis.timer());

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected WritableFollowGraph graph() {
        return graph;
    }
}
