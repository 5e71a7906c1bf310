package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Between two engines on one store")
class StalenessTest {

    private static final Duration STALENESS = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private FeedEngine here;
    private FeedEngine there;

    @BeforeEach
    void open() {
        here = builder().build();
        there = builder().build();
        here.follow("ann", "bob");
        here.publish("bob", "p1");
        assertThat(feed(here)).containsExactly("p1");
        assertThat(feed(there)).containsExactly("p1");
        clock.advance(Duration.ofSeconds(1));
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .reading(reading -> reading.staleness(STALENESS));
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private static List<String> feed(FeedEngine engine) {
        return engine.read("ann", PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    private static List<String> hydrated(FeedEngine engine) {
        return engine.read("ann", PageRequest.first(10), StalenessTest::content).items();
    }

    private static Map<Post, String> content(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(post -> post, Post::id));
    }

    @Test
    @DisplayName("a pulled post shows at once on the engine that published it, and within the bound on the other")
    void pulledPost() {
        here.publish("bob", "p2");
        assertThat(feed(here)).containsExactly("p2", "p1");
        assertThat(feed(there)).containsExactly("p1");
        clock.advance(STALENESS.minusSeconds(1));
        assertThat(feed(there)).containsExactly("p2", "p1");
    }

    @Test
    @DisplayName("a deleted post is gone at once where it was deleted and from hydrating reads, and within the bound "
            + "elsewhere")
    void deletedPost() {
        here.delete("bob", "p1");
        assertThat(feed(here)).isEmpty();
        assertThat(feed(there)).containsExactly("p1");
        assertThat(hydrated(there)).isEmpty();
    }

    @Test
    @DisplayName("a deleted post is gone within the bound from plain reads")
    void deletedPostAfterBound() {
        here.delete("bob", "p1");
        clock.advance(STALENESS.minusSeconds(1));
        assertThat(feed(there)).isEmpty();
    }

    @Test
    @DisplayName("no staleness that is longer than the lease brings a deleted post back into hydrating reads")
    void stalenessBeyondLease() {
        try (FeedEngine lazy = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .reading(reading -> reading.staleness(Duration.ofHours(1)))
                .fanout(fanout -> fanout.lease(Duration.ofSeconds(1)))
                .build()) {
            assertThat(hydrated(lazy)).containsExactly("p1");
            lazy.fanout().drain();
            here.delete("bob", "p1");
            lazy.fanout().drain();
            clock.advance(Duration.ofSeconds(2));
            lazy.fanout().drain();
            assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting())
                    .isEmpty();
            assertThat(hydrated(lazy)).isEmpty();
        }
    }

    @Test
    @DisplayName("no clock that is set back by less than half a lease brings a deleted post back into hydrating reads")
    void clockSetBack() {
        ManualClock own = new ManualClock();
        Duration lease = Duration.ofSeconds(10);
        try (FeedEngine lazy = FeedEngine.builder(store)
                .clock(own)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .reading(reading -> reading.staleness(Duration.ofHours(1)))
                .fanout(fanout -> fanout.lease(lease))
                .build()) {
            assertThat(hydrated(lazy)).containsExactly("p1");
            lazy.fanout().drain();
            here.delete("bob", "p1");
            lazy.fanout().drain();
            clock.advance(lease);
            own.advance(lease);
            lazy.fanout().drain();
            assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting())
                    .isEmpty();
            own.advance(Duration.ofSeconds(-4));
            assertThat(hydrated(lazy)).isEmpty();
        }
    }

    @Test
    @DisplayName("an unfollow holds at once on both, and so does a follow")
    void follows() {
        here.unfollow("ann", "bob");
        assertThat(feed(there)).isEmpty();
        there.follow("ann", "bob");
        assertThat(feed(here)).containsExactly("p1");
    }

    @Test
    @DisplayName("with no staleness everything shows at once")
    void noStaleness() {
        try (FeedEngine strict = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .build()) {
            assertThat(feed(strict)).containsExactly("p1");
            here.publish("bob", "p2");
            assertThat(feed(strict)).containsExactly("p2", "p1");
            here.delete("bob", "p1");
            assertThat(feed(strict)).containsExactly("p2");
        }
    }

    @Test
    @DisplayName("recent posts are asked for once for each version of the author's entry, and again when half a lease "
            + "has passed")
    void recentPostsAreCached() {
        int before = store.calls("Outbox.newest");
        feed(there);
        clock.advance(STALENESS);
        feed(there);
        assertThat(store.calls("Outbox.newest")).isEqualTo(before);
        here.publish("bob", "p2");
        clock.advance(STALENESS);
        feed(there);
        feed(there);
        assertThat(store.calls("Outbox.newest")).isEqualTo(before + 1);
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        feed(there);
        feed(there);
        assertThat(store.calls("Outbox.newest")).isEqualTo(before + 2);
        clock.advance(STALENESS.negated().minusSeconds(1));
        feed(there);
        assertThat(store.calls("Outbox.newest")).isEqualTo(before + 3);
    }
}
