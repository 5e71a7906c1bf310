package io.feedkit.redis;

import io.feedkit.redis.internal.seen.RedisSeenMarks;
import io.feedkit.spi.SeenMarks;
import io.feedkit.testkit.SeenMarksCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisSeenMarksCompatibilityTest extends SeenMarksCompatibilityKit {

    private final TestRedis redis;
    private final SeenMarks seenMarks;

    RedisSeenMarksCompatibilityTest(Topology topology) {
        redis = new TestRedis(topology.uri().get());
        seenMarks = new RedisSeenMarks(redis.link(), redis.keys(), redis.timer());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected SeenMarks seenMarks() {
        return seenMarks;
    }

    @Override
    protected void pass(Duration duration) {
        redis.clock().advance(duration);
    }

    @Override
    protected long now() {
        return redis.clock().millis();
    }
}
