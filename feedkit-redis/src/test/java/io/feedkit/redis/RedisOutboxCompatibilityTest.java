package io.feedkit.redis;

import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.OutboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisOutboxCompatibilityTest extends OutboxCompatibilityKit {

    private final TestOutbox truth;

    RedisOutboxCompatibilityTest(Topology topology) {
        truth = new TestOutbox(topology.uri().get());
    }

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
