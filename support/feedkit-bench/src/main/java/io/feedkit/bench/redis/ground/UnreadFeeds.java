package io.feedkit.bench.redis.ground;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.redis.RedisFeedStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Readers with live inboxes who all follow the same authors, of whose 1000 posts they have seen the older half. */
public final class UnreadFeeds implements AutoCloseable {

    public static final int POSTS = 1000;
    public static final int UNREAD = POSTS / 2;

    private final FeedEngine engine;
    private final List<String> authors;
    private final List<String> readers;

    /**
     * All posts are pushed, or all are pulled. If they are pulled, the newer half is published after the readers'
     * visit, and no inbox holds it.
     */
    public UnreadFeeds(RedisFeedStore store, boolean pulled, int followees, int readers) {
        String name = (pulled ? "pulled-" : "pushed-") + followees + "-";
        authors = IntStream.range(0, followees)
                .mapToObj(i -> name + (100_000_000 + i))
                .toList();
        this.readers =
                IntStream.range(0, readers).mapToObj(i -> name + "reader-" + i).toList();
        engine = FeedEngine.builder(store)
                .policy(pulled ? FanoutPolicy.pull() : FanoutPolicy.push())
                .workers(0)
                .build();
        List<Post> posts = posts();
        this.readers.forEach(reader -> engine.followAll(reader, authors));
        publish(posts.subList(0, pulled ? UNREAD : POSTS));
        this.readers.forEach(reader -> visit(reader, pulled ? 0 : UNREAD));
        publish(posts.subList(pulled ? UNREAD : POSTS, POSTS));
    }

    private List<Post> posts() {
        List<Post> ofOthers = FullInboxes.posts(POSTS);
        List<Post> posts = new ArrayList<>();
        for (int i = 0; i < POSTS; i++) {
            Post post = ofOthers.get(i);
            posts.add(new Post(authors.get(i % authors.size()), post.id(), post.publishedAt()));
        }
        return posts;
    }

    private void publish(List<Post> posts) {
        engine.publishAll(posts);
        engine.fanout().drain();
    }

    /** Marks all posts as seen except the given number of the newest. */
    private void visit(String reader, int newest) {
        FeedPage<Post> page = engine.read(reader, PageRequest.first(1));
        if (newest > 0) {
            FeedPage<Post> unread = engine.read(reader, PageRequest.first(newest));
            page = engine.read(reader, PageRequest.older(unread.older().orElseThrow(), 1));
        }
        engine.markSeen(reader, page.newer());
    }

    public List<String> authors() {
        return authors;
    }

    public List<String> readers() {
        return readers;
    }

    /** Counts a reader's unread posts, and fails if they are not half of all posts. */
    public void count(String reader) {
        check(engine.unread(reader).count());
    }

    /** Counts the unread posts of many readers in one call, with the same check. */
    public void count(Collection<String> some) {
        engine.unread(some).values().forEach(unread -> check(unread.count()));
    }

    private static void check(long count) {
        if (count != UNREAD) {
            throw new IllegalStateException(UNREAD + " posts must be unread, but " + count + " are");
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
