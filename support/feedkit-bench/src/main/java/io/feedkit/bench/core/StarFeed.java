package io.feedkit.bench.core;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * An engine with one author, the star, whom very many made-up users follow. Every n-th of them has a live, full inbox;
 * the others have none. The star's earlier posts were published before the follows.
 */
public final class StarFeed implements AutoCloseable {

    /** The author. */
    public static final String STAR = "star";

    private final MadeUpGraph graph = new MadeUpGraph();
    private final FeedEngine engine;
    private final List<String> live = new ArrayList<>();
    private final List<Post> earlier = new ArrayList<>();
    private final int followers;
    private int published;

    /**
     * Builds the feed.
     *
     * @param followers how many followers the star has: the users from 0 on
     * @param liveReaders how many of them are live, evenly spread
     * @param settings further settings of the engine
     */
    public StarFeed(int followers, int liveReaders, UnaryOperator<FeedEngineBuilder> settings) {
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        FeedStore store = FeedStore.of(memory.outbox(), memory::inbox, graph, memory.seenMarks());
        this.engine = settings.apply(FeedEngine.builder(store)).build();
        this.followers = followers;
        while (published < FeedEngineBuilder.DEFAULT_CAP) {
            earlier.add(publish());
        }
        engine.fanout().drain();
        graph.follow(STAR, 0, followers);
        for (int i = 0; i < liveReaders; i++) {
            String reader = MadeUpGraph.user((int) ((long) followers * i / liveReaders));
            engine.read(reader, PageRequest.first(1));
            live.add(reader);
        }
    }

    /**
     * The engine.
     *
     * @return an engine, closed with this
     */
    public FeedEngine engine() {
        return engine;
    }

    MadeUpGraph graph() {
        return graph;
    }

    int followers() {
        return followers;
    }

    List<String> live() {
        return live;
    }

    /** The posts that fill an inbox, oldest first. */
    List<Post> earlier() {
        return earlier;
    }

    /**
     * Publishes the star's next post.
     *
     * @return the post
     */
    public Post publish() {
        return engine.publish(STAR, String.format("%09d", published++)).post();
    }

    /** Checks that every live reader has the post at the top, and nowhere else. */
    void requireDelivered(Post post) {
        for (String reader : live) {
            List<Post> feed = engine.read(reader, PageRequest.first(PageRequest.MAX_LIMIT))
                    .items();
            if (feed.isEmpty() || !feed.get(0).equals(post) || feed.lastIndexOf(post) != 0) {
                throw new IllegalStateException(post + " must be at the top of the feed of " + reader
                        + " and only there, but its first places are "
                        + feed.subList(0, Math.min(3, feed.size())));
            }
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
