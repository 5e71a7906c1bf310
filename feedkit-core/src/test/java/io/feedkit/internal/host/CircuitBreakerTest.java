package io.feedkit.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A circuit breaker")
class CircuitBreakerTest {

    private static final int FOLLOWEE_IDS = 100;

    private final ManualClock clock = new ManualClock();
    private final CircuitBreaker breaker =
            new CircuitBreaker(TestSettings.with(clock, FOLLOWEE_IDS), "the store is down");
    private final AtomicInteger asked = new AtomicInteger();

    private void ask(StoreUnavailableException failure) {
        assertThat(breaker.<Object>ask(() -> {
                    asked.incrementAndGet();
                    throw failure;
                }))
                .isNull();
    }

    private static StoreUnavailableException failure() {
        return new StoreUnavailableException("store", new IllegalStateException("down"));
    }

    @Test
    @DisplayName("asks a few times, and then once a second")
    void opens() {
        for (int n = 0; n < 20; n++) {
            ask(failure());
        }
        assertThat(asked).hasValue(CircuitBreaker.FAILURES);
        clock.advance(Duration.ofMillis(CircuitBreaker.PAUSE_MILLIS));
        ask(failure());
        ask(failure());
        assertThat(asked).hasValue(CircuitBreaker.FAILURES + 1);
    }

    @Test
    @DisplayName("counts a failure once that many callers share")
    void shared() {
        StoreUnavailableException shared = failure();
        for (int n = 0; n < 20; n++) {
            ask(shared);
        }
        assertThat(asked).hasValue(20);
    }
}
