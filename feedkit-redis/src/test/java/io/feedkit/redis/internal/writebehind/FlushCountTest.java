package io.feedkit.redis.internal.writebehind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.WriteBehindStatus;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The count of flushes")
class FlushCountTest {

    private final FlushCount flushes = new FlushCount();

    @Test
    @DisplayName("adds what was written, and counts failures")
    void counts() {
        assertThat(flushes.count(() -> 3)).isEqualTo(3);
        assertThat(flushes.count(() -> 4)).isEqualTo(4);
        assertThatThrownBy(() -> flushes.count(() -> {
                    throw new IllegalStateException("down");
                }))
                .hasMessage("down");
        WriteBehindStatus status = flushes.status(true);
        assertThat(status.written()).isEqualTo(7);
        assertThat(status.failures()).isEqualTo(1);
        assertThat(status.cacheReachable()).isTrue();
        assertThat(flushes.status(false).cacheReachable()).isFalse();
    }

    @Test
    @DisplayName("has an age from the beginning of the last flush that succeeded")
    void age() {
        long created = System.nanoTime();
        assertThatThrownBy(() -> flushes.count(() -> {
                    waitUntil(created + 20_000_000);
                    throw new IllegalStateException("down");
                }))
                .hasMessage("down");
        assertThat(flushes.status(true).age()).isGreaterThanOrEqualTo(Duration.ofMillis(19));

        long begin = System.nanoTime();
        assertThat(flushes.count(() -> 1)).isEqualTo(1);
        assertThat(flushes.status(true).age()).isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - begin));
    }

    @Test
    @DisplayName("keeps the later beginning of two flushes that overlap")
    void overlapping() {
        long begin = System.nanoTime();
        flushes.count(() -> {
            waitUntil(begin + 20_000_000);
            flushes.count(() -> 1);
            return 1;
        });
        assertThat(flushes.status(true).age()).isLessThan(Duration.ofNanos(System.nanoTime() - begin - 19_000_000));
    }

    private static void waitUntil(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            Thread.onSpinWait();
        }
    }
}
