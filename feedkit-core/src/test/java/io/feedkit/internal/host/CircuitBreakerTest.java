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
    @DisplayName("goes on asking while one part of a store fails at once: other parts may work")
    void ofPart() {
        for (int n = 0; n < 20; n++) {
            ask(StoreUnavailableException.ofPart("store", new IllegalStateException("one node is down")));
        }
        assertThat(asked).hasValue(20);
        assertThat(breaker.<String>ask(() -> "the answer of another part")).isEqualTo("the answer of another part");
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

    private void fail(Duration after) {
        assertThat(breaker.<Object>ask(() -> breaker.watch(() -> {
                    asked.incrementAndGet();
                    clock.advance(after);
                    throw failure();
                })))
                .isNull();
    }

    @Test
    @DisplayName("asks no more after one failure that took a second in which nothing was answered")
    void opensAfterOneTimeout() {
        fail(Duration.ofMillis(CircuitBreaker.SILENCE_MILLIS));
        fail(Duration.ZERO);
        assertThat(asked).hasValue(1);
        clock.advance(Duration.ofMillis(CircuitBreaker.PAUSE_MILLIS));
        assertThat(breaker.ask(() -> breaker.watch(() -> "back"))).isEqualTo("back");
        assertThat(breaker.ask(() -> breaker.watch(() -> "back"))).isEqualTo("back");
    }

    @Test
    @DisplayName("asks on if others are answered while a call waits for its time-out: only a part of the store hangs")
    void partHangs() {
        for (int n = 0; n < CircuitBreaker.FAILURES - 1; n++) {
            assertThat(breaker.<Object>ask(() -> breaker.watch(() -> {
                        clock.advance(Duration.ofMillis(CircuitBreaker.SILENCE_MILLIS));
                        breaker.watch(() -> "another");
                        throw failure();
                    })))
                    .isNull();
        }
        assertThat(breaker.ask(() -> breaker.watch(() -> "answer"))).isEqualTo("answer");
    }

    @Test
    @DisplayName("does not ask while a call has waited for a second, but for one caller a second")
    void silence() {
        breaker.ask(() -> breaker.watch(() -> {
            assertThat(breaker.ask(() -> "asked")).isEqualTo("asked");
            clock.advance(Duration.ofMillis(CircuitBreaker.SILENCE_MILLIS));
            assertThat(breaker.ask(() -> "asked")).isNull();
            clock.advance(Duration.ofMillis(CircuitBreaker.PAUSE_MILLIS));
            assertThat(breaker.ask(() -> "asked")).isEqualTo("asked");
            assertThat(breaker.ask(() -> "asked")).isNull();
            assertThat(breaker.watch(() -> "answered")).isEqualTo("answered");
            assertThat(breaker.ask(() -> "asked")).isEqualTo("asked");
            return "answered";
        }));
    }

    @Test
    @DisplayName("does not take a caller's own work for silence of the store")
    void ownWork() {
        breaker.ask(() -> {
            breaker.watch(() -> "answered");
            clock.advance(Duration.ofHours(1));
            assertThat(breaker.ask(() -> "asked")).isEqualTo("asked");
            return "done";
        });
    }
}
