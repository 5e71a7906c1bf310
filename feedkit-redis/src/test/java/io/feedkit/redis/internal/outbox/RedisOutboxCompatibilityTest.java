package io.feedkit.redis.internal.outbox;

import io.feedkit.spi.Outbox;
import io.feedkit.testkit.OutboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class RedisOutboxCompatibilityTest extends OutboxCompatibilityKit {

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
