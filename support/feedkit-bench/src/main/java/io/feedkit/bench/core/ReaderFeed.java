package io.feedkit.bench.core;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine and one reader, whose inbox is full of posts of 50 authors. The reader may also follow pulled authors, who
 * have the same number of posts, evenly mixed with the pushed ones.
 */
public final class ReaderFeed implements AutoCloseable {

    /** The size of a page. */
    public static final int PAGE = 20;

    private static final String READER = "reader";
    private static final String PULLED = "pulled-";
    private static final int PUSHED_AUTHORS = 50;
    private static final int DEPTH = 500;

    private final FeedEngine engine;
    private final List<Post> pushed = new ArrayList<>();

    /**
     * Builds the feed.
     *
     * @param pulledAuthors how many pulled authors the reader follows
     */
    public ReaderFeed(int pulledAuthors) {
        this(pulledAuthors, 0);
    }

    /**
     * Builds the feed, with further authors without posts.
     *
     * @param pulledAuthors how many pulled authors the reader follows
     * @param quietAuthors how many quiet authors
     */
    ReaderFeed(int pulledAuthors, int quietAuthors) {
        engine = FeedEngine.builder(InMemoryFeedStore.create())
                .policy(status -> status.author().startsWith(PULLED) ? FanoutMode.PULL : FanoutMode.PUSH)
                .workers(0)
                .build();
        for (int i = 0; i < PUSHED_AUTHORS; i++) {
            engine.follow(READER, "pushed-" + i);
        }
        for (int i = 0; i < pulledAuthors; i++) {
            engine.follow(READER, PULLED + i);
        }
        for (int i = 0; i < quietAuthors; i++) {
            engine.follow(READER, "quiet-" + i);
        }
        engine.read(READER, PageRequest.first(1));
        Instant base = Instant.now().minusSeconds(FeedEngineBuilder.DEFAULT_CAP);
        for (int i = 0; i < FeedEngineBuilder.DEFAULT_CAP; i++) {
            String id = String.format("%09d", i);
            Instant time = base.plusSeconds(i);
            pushed.add(engine.publish(new Post("pushed-" + i % PUSHED_AUTHORS, id, time))
                    .post());
            if (pulledAuthors > 0) {
                engine.publish(new Post(PULLED + i % pulledAuthors, id, time.plus(Duration.ofMillis(500))));
            }
        }
        engine.fanout().drain();
        requireFull();
    }

    private void requireFull() {
        if (first().items().size() != PAGE) {
            throw new IllegalStateException("the first page must be full, but is " + first());
        }
    }

    /**
     * Reads the newest posts.
     *
     * @return a full page
     */
    public FeedPage<Post> first() {
        return engine.read(READER, PageRequest.first(PAGE));
    }

    /**
     * Reads the newest posts with content that is free to load.
     *
     * @return a full page
     */
    public FeedPage<Post> hydrated() {
        return engine.read(READER, PageRequest.first(PAGE), ReaderFeed::load);
    }

    private static Map<Post, Post> load(List<Post> posts) {
        Map<Post, Post> loaded = new HashMap<>();
        posts.forEach(post -> loaded.put(post, post));
        return loaded;
    }

    /**
     * A cursor in the middle of the inbox.
     *
     * @return the place after 500 posts
     */
    public Cursor deepCursor() {
        return engine.read(READER, PageRequest.first(DEPTH)).older().orElseThrow();
    }

    /**
     * Reads the page below a cursor.
     *
     * @param cursor the place
     * @return a full page
     */
    public FeedPage<Post> older(Cursor cursor) {
        return engine.read(READER, PageRequest.older(cursor, PAGE));
    }

    /** The posts in the inbox, oldest first. */
    List<Post> pushed() {
        return pushed;
    }

    @Override
    public void close() {
        engine.close();
    }
}
