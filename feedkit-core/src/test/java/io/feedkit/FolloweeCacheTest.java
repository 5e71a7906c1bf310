package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whom a reader follows")
class FolloweeCacheTest {

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));

    private FeedEngine engine(int followeeCache) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .reading(reading -> reading.followeeCache(followeeCache))
                .build();
    }

    /** Reads a feed, and says how often the graph was asked for followees. */
    private int asked(FeedEngine engine, String reader) {
        int before = store.calls("FollowGraph.followees");
        engine.read(reader, PageRequest.first(1));
        return store.calls("FollowGraph.followees") - before;
    }

    private static void prepare(FeedEngine engine, String... readers) {
        for (String reader : readers) {
            List.of("a", "b", "c").forEach(author -> engine.follow(reader, author));
            engine.read(reader, PageRequest.first(1));
        }
    }

    @Test
    @DisplayName("is remembered while the follow epoch stays the same")
    void remembered() {
        try (FeedEngine engine = engine(100);
                FeedEngine other = engine(100)) {
            prepare(engine, "ann");
            assertThat(asked(engine, "ann")).isZero();
            other.follow("ann", "d");
            assertThat(asked(engine, "ann")).isEqualTo(1);
            assertThat(asked(engine, "ann")).isZero();
            other.unfollow("ann", "a");
            assertThat(asked(engine, "ann")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("is forgotten beyond the bound of remembered ids, least recently used first")
    void bounded() {
        // Three quarters of 24 ids: room for four readers with three followees.
        try (FeedEngine engine = engine(24)) {
            prepare(engine, "ann", "bea", "cat", "dan");
            assertThat(asked(engine, "ann")).isZero();
            prepare(engine, "eve");
            assertThat(asked(engine, "ann")).isZero();
            assertThat(asked(engine, "eve")).isZero();
            assertThat(asked(engine, "bea")).isEqualTo(1);
            assertThat(asked(engine, "bea")).isZero();
        }
    }

    @Test
    @DisplayName("is never remembered with a bound of nothing")
    void nothingRemembered() {
        try (FeedEngine none = engine(0)) {
            prepare(none, "ann");
            assertThat(asked(none, "ann")).isEqualTo(1);
            assertThat(asked(none, "ann")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("is remembered of one reader at least who follows more than the bound, and that displaces no others")
    void many() {
        try (FeedEngine engine = engine(28)) {
            prepare(engine, "ann", "bea");
            List<String> many =
                    IntStream.range(0, 100).mapToObj(n -> "author-" + n).toList();
            engine.followAll("zoe", many);
            assertThat(asked(engine, "zoe")).isPositive();
            assertThat(asked(engine, "zoe")).isZero();
            assertThat(asked(engine, "ann")).isZero();
            assertThat(asked(engine, "bea")).isZero();
            engine.followAll("yve", many);
            assertThat(asked(engine, "yve")).isPositive();
            assertThat(asked(engine, "yve")).isZero();
            assertThat(asked(engine, "zoe")).isPositive();
            assertThat(asked(engine, "ann")).isZero();
        }
    }

    @Test
    @DisplayName("is read up to a most that the host sets, and the pages say so")
    void most() {
        try (FeedEngine engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .maxFollowees(2)
                .policy(FanoutPolicy.pull())
                .build()) {
            engine.followAll("ann", List.of("a", "b"));
            engine.followAll("bea", List.of("a", "b", "c"));
            List.of("a", "b", "c").forEach(author -> engine.publish(author, "p-" + author));
            for (int page = 0; page < 2; page++) {
                FeedPage<Post> all = engine.read("ann", PageRequest.first(10));
                FeedPage<Post> some = engine.read("bea", PageRequest.first(10));
                assertThat(all.items()).extracting(Post::id).containsExactlyInAnyOrder("p-a", "p-b");
                assertThat(all.caveats()).isEmpty();
                assertThat(some.items()).extracting(Post::id).containsExactlyInAnyOrder("p-a", "p-b");
                assertThat(some.caveats()).containsExactly(FeedPage.Caveat.SOME_FOLLOWEES);
            }
        }
    }

    @Test
    @DisplayName("changes within a second if it is more than the most, and counts of unread posts are those of pages")
    void mostAfterUnfollows() {
        try (FeedEngine engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .maxFollowees(2)
                .build()) {
            List<String> authors = List.of("a", "b", "c", "d");
            engine.followAll("bea", authors);
            engine.read("bea", PageRequest.first(10));
            authors.forEach(author -> engine.publish(author, "p-" + author));
            engine.fanout().drain();
            for (int n = 0; n < 2; n++) {
                assertThat(engine.read("bea", PageRequest.first(10)).items())
                        .extracting(Post::id)
                        .containsExactlyInAnyOrder("p-a", "p-b");
                assertThat(engine.unread("bea").count()).isEqualTo(2);
            }
            engine.unfollow("bea", "a");
            engine.read("bea", PageRequest.first(10));
            clock.advance(Duration.ofSeconds(1));
            engine.unfollow("bea", "b");
            assertThat(engine.read("bea", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactlyInAnyOrder("p-c", "p-d");
            assertThat(engine.unread("bea").count()).isEqualTo(2);
        }
    }
}
