package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Badges.Badge;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the guide to unread counts shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to unread counts")
class UnreadGuideTest {

    private final CounterStore store = InMemoryCounterStore.create();

    @Test
    @DisplayName("counts a feed")
    void feed() {
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "post-1");
            // guide
            Unread news = feed.unread("ann"); // as text "1", or "1000+" above the cap
            Map<String, Unread> all = feed.unread(List.of("ann", "ben"));
            FeedPage<Post> page = feed.read("ann", PageRequest.first(20));
            feed.markSeen("ann", page.newer()); // the page, and everything below it
            // end
            assertThat(news).hasToString("1");
            assertThat(all).containsEntry("ann", news).containsEntry("ben", new Unread(0, false));
            assertThat(feed.unread("ann").count()).isZero();
        }
    }

    @Test
    @DisplayName("counts by type")
    void types() {
        // guide
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(List.of("ann", "ben"), "comment", 1, "comment-4711"); // counts once, also if repeated
        unread.add(List.of("ann"), "follower", 1);
        UnreadCounts shown = unread.get("ann"); // shown.of("comment"), shown.total()
        unread.remove("ann", "comment", "comment-4711"); // the comment was deleted
        unread.markSeen("ann", shown.counted()); // later additions stay unread
        // end
        assertThat(shown.of("comment")).isOne();
        assertThat(shown.total()).isEqualTo(2);
        assertThat(unread.get("ann").total()).isZero();
        assertThat(unread.get("ben").total()).isOne();
    }

    @Test
    @DisplayName("counts conversations")
    void conversations() {
        // guide
        Conversations conversations = Conversations.of(store);
        conversations.join("talk", "ann");
        conversations.join("talk", "ben");
        long number = conversations.add("talk", "ann"); // 1, 2, 3, ... without gaps
        List<Long> counts = conversations.get("ben", List.of("talk", "other"));
        conversations.markSeen("talk", "ben", number); // devices may report in any order
        conversations.remove("talk", number); // unsent: not counted for any member
        // end
        assertThat(number).isOne();
        assertThat(counts).containsExactly(1L, 0L);
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(0L);
    }

    @Test
    @DisplayName("counts announcements")
    void announcements() {
        // guide
        Announcements announcements = Announcements.of(store);
        announcements.enter("ann"); // at each visit; the first one sets a mark
        announcements.add("maintenance", Announcements.EVERYBODY);
        announcements.add("new-prices", "customers", Instant.now().plus(Duration.ofDays(30))); // its end
        long notices = announcements.get("ann", Set.of("customers")); // the user's segments
        announcements.markAllSeen("ann");
        // end
        assertThat(notices).isEqualTo(2);
        assertThat(announcements.get("ann", Set.of("customers"))).isZero();
    }

    @Test
    @DisplayName("shows red dots")
    void dots() {
        // guide
        RedDots dots = RedDots.of(store);
        long version = dots.add("settings"); // for all users
        dots.add("wallet", List.of("ann"));
        Set<String> visible = dots.get("ann", List.of("settings", "wallet", "help"));
        dots.markSeen("ann", "settings", version); // a newer version stays visible
        dots.remove("wallet");
        // end
        assertThat(visible).containsExactlyInAnyOrder("settings", "wallet");
        assertThat(dots.get("ann", List.of("settings", "wallet"))).isEmpty();
    }

    @Test
    @DisplayName("reads a badge")
    void badge() {
        UnreadCounter.of(store).add(List.of("ann"), "comment", 3);
        // guide
        Badge badge = Badges.of(store).get("ann", List.of("talk"), Set.of("customers"), List.of("settings"));
        long total = badge.total(); // without dots
        // end
        assertThat(total).isEqualTo(3);
        assertThat(badge.dots()).isEmpty();
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("unread.md", "UnreadGuideTest", "CountersGuideTest");
    }
}
