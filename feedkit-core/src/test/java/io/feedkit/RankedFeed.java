package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.Rankers;
import io.feedkit.rank.SnapshotExpiredException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A feed of ann, who follows bob and cat, and walks through its ranked pages. */
abstract class RankedFeed {

    final ManualClock clock = new ManualClock();
    final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    final ProbedStore store = new ProbedStore(memory);
    final Set<Post> hidden = ConcurrentHashMap.newKeySet();
    final List<FeedEngine> engines = new ArrayList<>();
    final Map<Post, Double> weights = new HashMap<>();
    final Ranker byWeight = Rankers.weighted(posts -> weights);
    final FeedEngine engine = open(builder());

    FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .filter((reader, posts) ->
                        posts.stream().filter(post -> !hidden.contains(post)).toList());
    }

    FeedEngine open(FeedEngineBuilder builder) {
        FeedEngine opened = builder.build();
        engines.add(opened);
        return opened;
    }

    @AfterEach
    void close() {
        engines.forEach(FeedEngine::close);
    }

    static Post post(String author, int n) {
        return Post.of(author, String.format("p%04d", n), ManualClock.START.toEpochMilli() - 100_000 + n);
    }

    /** Publishes posts of bob and cat in turn, p0000 first. Their weights are such that they are ranked as shuffled. */
    List<Post> fill(int posts) {
        engine.follow("ann", "bob");
        engine.follow("ann", "cat");
        engine.read("ann", PageRequest.first(1));
        List<Post> published = IntStream.range(0, posts)
                .mapToObj(n -> post(n % 2 == 0 ? "bob" : "cat", n))
                .toList();
        engine.publishAll(published);
        engine.fanout().drain();
        List<Post> ranked = new ArrayList<>(published);
        Collections.shuffle(ranked, new Random(7));
        for (int i = 0; i < posts; i++) {
            weights.put(ranked.get(i), (double) -i);
        }
        return ranked;
    }

    RankedPage<Post> top(int candidates, int limit) {
        return engine.ranked("ann", RankRequest.top(candidates, limit), byWeight);
    }

    RankedPage<Post> after(RankedPage<?> page, int limit) {
        return engine.ranked("ann", RankRequest.after(page.next().orElseThrow(), limit), byWeight);
    }

    interface Pause {
        void afterPage(int pages);
    }

    List<Post> walk(int candidates, int limit, Pause pause) {
        RankedPage<Post> page = top(candidates, limit);
        List<Post> walked = new ArrayList<>(page.items());
        for (int pages = 1; page.next().isPresent(); pages++) {
            pause.afterPage(pages);
            page = after(page, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            assertThat(pages).as("pages of a walk").isLessThan(10_000);
            walked.addAll(page.items());
        }
        return walked;
    }

    static List<Post> without(List<Post> posts, Set<Post> gone) {
        return posts.stream().filter(post -> !gone.contains(post)).toList();
    }

    void assertGone(String reader, RankCursor cursor) {
        assertThatThrownBy(() -> engine.ranked(reader, RankRequest.after(cursor, 5), byWeight))
                .isInstanceOfSatisfying(SnapshotExpiredException.class, e -> {
                    assertThat(e.cursor()).isEqualTo(cursor);
                    assertThat(e.isRetryable()).isFalse();
                    assertThat(e).hasMessageContaining(cursor.toString()).hasMessageContaining("RankRequest.top");
                });
    }
}
