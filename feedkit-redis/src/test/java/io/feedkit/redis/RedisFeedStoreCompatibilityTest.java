package io.feedkit.redis;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.feedkit.redis.Topology#few")
class RedisFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final TestStore redis;

    RedisFeedStoreCompatibilityTest(Topology topology) {
        redis = new TestStore(topology.uri().get());
    }

    @Override
    protected FeedStore store() {
        return redis.store();
    }

    /** In full it takes several minutes, most of them for calls that memory answers in a microsecond. */
    @Override
    protected boolean thorough() {
        return false;
    }

    @Override
    protected void pass(Duration duration) {
        redis.clock().advance(duration);
    }

    @Override
    protected long now() {
        return redis.clock().millis();
    }

    @AfterEach
    void close() {
        redis.close();
    }
}
