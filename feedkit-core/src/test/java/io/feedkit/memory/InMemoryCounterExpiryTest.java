package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.RedDots;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What idle users have in memory")
class InMemoryCounterExpiryTest {

    private static final Duration IDLE = Duration.ofDays(10);

    private final AtomicLong now = new AtomicLong();
    private final InstantSource time = () -> Instant.ofEpochMilli(now.get());
    private final Clock clock = time.withZone(ZoneOffset.UTC);
    private final InMemoryCounterStore store = InMemoryCounterStore.create(clock, Duration.ofHours(24), IDLE);

    @Test
    @DisplayName("expires, and that of users who enter stays")
    void expires() {
        Announcements announcements = Announcements.of(store, clock);
        RedDots dots = RedDots.of(store);
        Views views = Views.of(store, IDLE, clock);
        dots.add("dot");
        for (String user : List.of("ann", "ben")) {
            announcements.enter(user);
            dots.markSeen(user, "dot");
            views.add(user, "p");
            Reactions.of(store).add(user, "p");
        }
        announcements.add("news", Announcements.EVERYBODY);
        for (int i = 0; i < 3; i++) {
            now.addAndGet(IDLE.dividedBy(2).toMillis());
            announcements.enter("ben");
        }
        assertThat(announcements.get("ann", List.of())).isZero();
        assertThat(announcements.get("ben", List.of())).isOne();
        assertThat(dots.get("ann", List.of("dot"))).containsExactly("dot");
        assertThat(store.members(new Owner(Space.VIEWS, "ann"))).isEmpty();
        assertThat(views.add("ann", "p")).isTrue();
        assertThat(views.get(List.of("p"))).containsExactly(3L);
        assertThat(Reactions.of(store).get(List.of("p"))).containsExactly(2L);
    }
}
