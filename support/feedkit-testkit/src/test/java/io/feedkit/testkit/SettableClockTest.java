package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.feedkit.testkit.internal.Race;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettableClockTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00.123456789Z");

    private final SettableClock clock = SettableClock.startingAt(START);

    @Test
    @DisplayName("it stands still")
    void standsStill() {
        assertThat(clock.instant()).isEqualTo(START);
        assertThat(clock.millis()).isEqualTo(START.toEpochMilli());
        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
    }

    @Test
    @DisplayName("it moves by as much as it is told, forwards and back")
    void advances() {
        assertThat(clock.advance(Duration.ofSeconds(5))).isEqualTo(START.plusSeconds(5));
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(5));
        clock.advance(Duration.ofSeconds(-7));
        assertThat(clock.instant()).isEqualTo(START.minusSeconds(2));
    }

    @Test
    @DisplayName("it shows what it is set to")
    void set() {
        clock.set(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
    }

    @Test
    @DisplayName("views in other zones show the same time")
    void zones() {
        SettableClock view = clock.withZone(ZoneId.of("Asia/Tokyo"));
        view.advance(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofDays(1)));
        assertThat(view.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
    }

    @Test
    @DisplayName("concurrent moves add up")
    void concurrentMoves() {
        Race.run(4, thread -> {
            for (int i = 0; i < 1000; i++) {
                clock.advance(Duration.ofNanos(1));
            }
            return true;
        });
        assertThat(clock.instant()).isEqualTo(START.plusNanos(4000));
    }

    @Test
    @DisplayName("null is refused")
    void nulls() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SettableClock.startingAt(null))
                .withMessage("start must not be null");
        assertThatIllegalArgumentException().isThrownBy(() -> clock.set(null)).withMessage("instant must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(null))
                .withMessage("duration must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.withZone(null))
                .withMessage("zone must not be null");
    }
}
