package io.feedkit.redis;

import io.feedkit.redis.internal.presence.RedisPresenceStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.testkit.PresenceStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisPresenceStoreCompatibilityTest extends PresenceStoreCompatibilityKit {

    private final TestRedis redis;
    private final PresenceStore presence;

    RedisPresenceStoreCompatibilityTest(Topology topology) {
        redis = new TestRedis(topology.uri().get());
        presence = new RedisPresenceStore(redis.link(), redis.keys(), redis.timer());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected PresenceStore presence() {
        return presence;
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
