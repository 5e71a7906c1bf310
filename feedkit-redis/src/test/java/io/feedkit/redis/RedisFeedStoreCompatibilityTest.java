package io.feedkit.redis;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies(wholeFeeds = true)
class RedisFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final TestStore redis;

    RedisFeedStoreCompatibilityTest(Topology topology) {
        redis = new TestStore(topology.uri().get());
    }

    @Override
    protected FeedStore store() {
        return redis.store();
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
