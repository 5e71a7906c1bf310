package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.unread.Announcements;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The marks of an active user in SQL behind Redis")
class RenewedBehindTest {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    @DisplayName("stay, also if they never change")
    void renewed() {
        try (CountersBehind behind = new CountersBehind(settings -> settings.clock(clock))) {
            Announcements.of(behind.sql()).enter("ben");
            WriteBehindCounterStore store = behind.store(behind.sql());
            Announcements.of(store).enter("ann");
            Announcements.of(store).add("news", Announcements.EVERYBODY);
            store.flush();
            for (int i = 0; i < 4; i++) {
                clock.advance(Duration.ofDays(20));
                // A process remembers for a day, by its own clock, whom it has reported.
                WriteBehindCounterStore process = behind.store(behind.sql());
                Announcements.of(process).enter("ann");
                process.flush();
                behind.sql().purge(100);
            }
            assertThat(Announcements.of(behind.sql()).get("ann", List.of())).isOne();
            assertThat(Announcements.of(behind.sql()).get("ben", List.of())).isZero();
        }
    }
}
