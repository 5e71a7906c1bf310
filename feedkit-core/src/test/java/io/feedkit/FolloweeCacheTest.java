package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryFeedStore;
import java.util.List;
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
                .followeeCache(followeeCache)
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
        try (FeedEngine engine = engine(11)) {
            prepare(engine, "ann", "bea");
            assertThat(asked(engine, "ann")).isZero();
            prepare(engine, "cat");
            assertThat(asked(engine, "ann")).isZero();
            assertThat(asked(engine, "cat")).isZero();
            assertThat(asked(engine, "bea")).isEqualTo(1);
            assertThat(asked(engine, "bea")).isZero();
        }
    }

    @Test
    @DisplayName("is never remembered with a bound of nothing, or if it alone exceeds the bound")
    void nothingRemembered() {
        try (FeedEngine none = engine(0);
                FeedEngine few = engine(3)) {
            prepare(none, "ann");
            assertThat(asked(none, "ann")).isEqualTo(1);
            assertThat(asked(few, "ann")).isEqualTo(1);
            assertThat(asked(few, "ann")).isEqualTo(1);
        }
    }
}
