package io.feedkit.redis;

import io.feedkit.redis.internal.unread.RedisUnreadCounter;
import io.feedkit.spi.UnreadCounter;
import io.feedkit.testkit.UnreadCounterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisUnreadCounterCompatibilityTest extends UnreadCounterCompatibilityKit {

    private final TestRedis redis;
    private final UnreadCounter unread;

    RedisUnreadCounterCompatibilityTest(Topology topology) {
        redis = new TestRedis(topology.uri().get());
        unread = new RedisUnreadCounter(redis.link(), redis.keys(), redis.timer());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected UnreadCounter unread() {
        return unread;
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
