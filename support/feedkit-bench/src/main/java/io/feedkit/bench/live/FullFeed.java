package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.spi.FeedStore;
import java.util.List;

/** An engine with one reader, whose inbox is full of posts of 50 authors. */
final class FullFeed implements AutoCloseable {

    static final String READER = "reader";

    private final FeedEngine engine;
    private final List<Post> posts = FullInboxes.posts(FeedEngineBuilder.DEFAULT_CAP);

    FullFeed(FeedStore store) {
        engine = FeedEngine.builder(store).workers(0).build();
        engine.followAll(READER, FullInboxes.authors());
        engine.read(READER, PageRequest.first(1));
        engine.publishAll(posts);
        engine.fanout().drain();
    }

    FeedEngine engine() {
        return engine;
    }

    /** The posts, oldest first. */
    List<Post> posts() {
        return posts;
    }

    @Override
    public void close() {
        engine.close();
    }
}
