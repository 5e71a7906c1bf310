package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.outbox.TestTruth;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.FanoutLogCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class RedisFanoutLogCompatibilityTest extends FanoutLogCompatibilityKit {

    private final TestTruth truth = new TestTruth();

    @Override
    protected Outbox outbox() {
        return truth.outbox();
    }

    @Override
    protected void pass(Duration duration) {
        truth.clock().advance(duration);
    }

    @Override
    protected long now() {
        return truth.clock().millis();
    }

    @AfterEach
    void close() {
        truth.close();
    }
}
