package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.Topology;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.PulledRegisterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.feedkit.redis.Topology#all")
class RedisPulledRegisterCompatibilityTest extends PulledRegisterCompatibilityKit {

    private final TestTruth truth;

    RedisPulledRegisterCompatibilityTest(Topology topology) {
        truth = new TestTruth(topology.uri().get());
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
