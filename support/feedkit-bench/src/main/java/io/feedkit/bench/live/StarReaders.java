package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.core.PacedReaders;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine in memory with very many connected followers of one author, the star, and a few connected followers of
 * small authors, who do not follow the star.
 */
final class StarReaders implements AutoCloseable {

    /** The number of small authors. */
    static final int WRITERS = 10;

    /** The followers of each of them. */
    static final int FOLLOWERS = 20;

    private static final String STAR = "star";
    private static final int PAGE = 20;

    private final int followers;
    private final FeedEngine engine;
    private final PostSubscribers subscribers;
    private final PacedPosts small;
    private final AtomicInteger posts = new AtomicInteger();
    private final List<String> others = new ArrayList<>();
    private volatile ExpectedEvents ofStar = new ExpectedEvents(0);

    StarReaders(int followers, FanoutPolicy policy, PacedPosts small) {
        this.followers = followers;
        this.small = small;
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        MadeUpGraph graph = new MadeUpGraph();
        FeedStore store = FeedStore.of(memory.outbox(), memory::inbox, graph, memory.seenMarks());
        engine = FeedEngine.builder(store).policy(policy).build();
        subscribers = new PostSubscribers(post -> {
            if (post.author().equals(STAR)) {
                ofStar.arrived();
            } else {
                small.arrived(post.id());
            }
        });
        graph.follow(STAR, 0, followers);
        for (int i = 0; i < WRITERS; i++) {
            int first = followers + i * FOLLOWERS;
            graph.follow(writer(i), first, first + FOLLOWERS);
            for (int post = 0; post < PAGE; post++) {
                publishSmall(i, String.format("early%06d", post));
            }
        }
        engine.fanout().drain();
        for (int i = followers; i < followers + WRITERS * FOLLOWERS; i++) {
            others.add(MadeUpGraph.user(i));
            engine.read(others.get(others.size() - 1), PageRequest.first(1));
            subscribers.add(engine, others.get(others.size() - 1));
        }
        for (int i = 0; i < followers; i++) {
            subscribers.add(engine, MadeUpGraph.user(i));
        }
        // The feeds are connected when the events have arrived.
        small.publish(WRITERS, WRITERS, List.of(this::publishSmall));
        publish();
    }

    private static String writer(int number) {
        return "writer-" + number;
    }

    /** Publishes a post of the star, and returns after how many milliseconds its last follower had it. */
    double publish() {
        ofStar = new ExpectedEvents(followers);
        long start = System.nanoTime();
        engine.publish(STAR, String.format("star%09d", posts.getAndIncrement()));
        return (ofStar.await() - start) / 1e6;
    }

    void publishSmall(int writer, String id) {
        engine.publish(writer(writer), id);
    }

    PacedPosts small() {
        return small;
    }

    /** Read pages of the small authors' followers. */
    PacedReaders pages() {
        return new PacedReaders(engine, others);
    }

    @Override
    public void close() {
        engine.close();
        subscribers.requireNoFailure();
    }
}
