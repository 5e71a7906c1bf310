package io.feedkit.testkit.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testkit.SettableClock;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Badges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The behaviour of announcements that hosts rely on, on any store. */
public final class AnnouncementRules {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MANY = 40;

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final CounterStore store;
    private final Announcements announcements;

    /**
     * Rules for a store.
     *
     * @param store the store
     */
    public AnnouncementRules(CounterStore store) {
        this.store = store;
        this.announcements = Announcements.of(store, clock);
    }

    private long unread(String user, String... segments) {
        long unread = announcements.get(user, Set.of(segments));
        assertThat(Badges.of(store, clock)
                        .get(user, List.of(), Set.of(segments), List.of())
                        .announcements())
                .as("in the badge")
                .isEqualTo(unread);
        return unread;
    }

    private List<String> kept() {
        return store.members(new Owner(Space.ANNOUNCEMENTS, "all")).stream()
                .map(Member::name)
                .sorted()
                .toList();
    }

    /** An announcement counts until its end, and is removed a day later. */
    public void ends() {
        announcements.enter("ann");
        Instant begin = clock.instant();
        announcements.add("hour", Announcements.EVERYBODY, begin.plus(HOUR));
        announcements.add("two", "vip", begin.plus(HOUR.multipliedBy(2)));
        announcements.add("open", Announcements.EVERYBODY);
        assertThat(unread("ann")).isEqualTo(2);
        assertThat(unread("ann", "vip")).isEqualTo(3);
        clock.advance(HOUR);
        assertThat(unread("ann", "vip")).isEqualTo(2);
        announcements.add("hour", Announcements.EVERYBODY, clock.instant().plus(HOUR));
        assertThat(unread("ann", "vip")).isEqualTo(2);
        clock.advance(HOUR);
        assertThat(unread("ann", "vip")).isOne();
        clock.advance(HOUR.multipliedBy(23));
        announcements.add("next", Announcements.EVERYBODY);
        assertThat(kept()).containsExactly("next", "open", "two");
        announcements.remove("open");
        announcements.remove("unknown");
        announcements.add("open", Announcements.EVERYBODY);
        assertThat(unread("ann", "vip")).isOne();
        clock.advance(Announcements.KEPT_AFTER_END);
        announcements.add("last", "vip");
        assertThat(kept()).containsExactly("last", "next");
        assertThat(unread("ann")).isOne();
        assertThat(unread("ann", "vip")).isEqualTo(2);
        announcements.markAllSeen("ann");
        assertThat(unread("ann", "vip")).isZero();
        announcements.add("hour", "vip");
        assertThat(unread("ann", "vip")).isOne();
    }

    /** Announcements after the user's mark are counted, however many there were before. */
    public void sinceTheMark() {
        for (int i = 0; i < MANY; i++) {
            announcements.enter("user-" + i);
            announcements.add("news-" + i, i % 2 == 0 ? Announcements.EVERYBODY : "vip");
        }
        announcements.remove("news-" + (MANY - 1));
        announcements.remove("news-0");
        for (int i = 0; i < MANY; i++) {
            int since = i;
            assertThat(unread("user-" + i)).isEqualTo(even(since, MANY) - (since == 0 ? 1 : 0));
            assertThat(unread("user-" + i, "vip")).isEqualTo(MANY - since - 1 - (since == 0 ? 1 : 0));
        }
        assertThat(unread("nobody", "vip")).isZero();
        announcements.enter("late");
        announcements.add("gone", Announcements.EVERYBODY, clock.instant().plus(HOUR));
        clock.advance(HOUR.plus(Announcements.KEPT_AFTER_END));
        announcements.add("new", Announcements.EVERYBODY);
        assertThat(unread("late")).isOne();
    }

    private static int even(int from, int below) {
        return below / 2 - (from + 1) / 2;
    }
}
