package io.feedkit.bench.redis.scripts;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.stream.IntStream;

/** Calls whose time depends on the size of the inbox. */
final class InboxCalls {

    private static final long LEASE_MILLIS = 600_000;
    private static final int NOT_FAR = 20;

    private final SlowLog log;
    private final Inbox inbox;
    private final int cap;
    private final String all;
    private final List<String> readers;

    InboxCalls(SlowLog log, RedisFeedStore store, int cap, int inboxes) {
        this.log = log;
        this.cap = cap;
        // With a large cap the store handles fewer inboxes in one script.
        all = (cap > FeedEngineBuilder.DEFAULT_CAP
                ? "as many inboxes of " + cap + " as at once"
                : inboxes + " inboxes of " + cap);
        readers = IntStream.range(0, inboxes).mapToObj(MadeUpGraph::user).toList();
        InboxLimits limits = new InboxLimits(cap, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        inbox = store.inbox(limits);
        FullInboxes.fill(inbox, limits, inboxes);
    }

    void make(int times) {
        List<Post> posts = FullInboxes.posts(cap);
        List<Post> others = IntStream.range(0, cap).mapToObj(this::beside).toList();
        for (int n = 0; n < times; n++) {
            Post newest = Post.of("author", FullInboxes.nextId(n), System.currentTimeMillis());
            log.of(
                    "a post delivered to " + all + ", in order",
                    () -> inbox.deliver(List.of(new Delivery(newest, readers, 0))));
            // The search for its place starts at the oldest entry.
            Post late = Post.of(
                    "author",
                    FullInboxes.nextId(n),
                    posts.get(cap - NOT_FAR).publishedAt().toEpochMilli() + n);
            log.of(
                    "a post delivered below twenty of " + all,
                    () -> inbox.deliver(List.of(new Delivery(late, readers, 0))));
            log.of(
                    "a post taken out below twenty of " + all,
                    () -> inbox.retract(List.of(new Retraction(late, readers))));
            log.of(
                    "a post taken out of " + all + " which do not hold it",
                    () -> inbox.retract(List.of(new Retraction(late, readers))));
            String reader = readers.get(n % readers.size());
            log.of("a slice of " + cap, () -> inbox.slice(List.of(whole(reader))));
            long generation = inbox.open(reader, LEASE_MILLIS, true).generation();
            Position floor = Position.of(posts.get(0));
            log.of("an empty inbox filled with " + cap, () -> inbox.merge(reader, generation, posts, floor));
            log.of(
                    "an inbox of " + cap + " merged with " + cap + " others",
                    () -> inbox.merge(reader, generation, others, floor));
            inbox.complete(reader, generation, 1, 0);
            String author = FullInboxes.authors().get(n % FullInboxes.authors().size());
            long token = inbox.beginFollow(reader, List.of(author));
            log.of("the posts of an author taken out of " + cap, () -> inbox.purge(reader, List.of(author), token));
        }
        log.of(readers.size() + " inboxes of " + cap + " dropped", () -> inbox.drop(readers));
    }

    /** A post between two of the posts that fill the inboxes. */
    private Post beside(int i) {
        Post post = FullInboxes.posts(1).get(0);
        return Post.of(post.author(), FullInboxes.nextId(i), post.publishedAt().toEpochMilli() - 1000L * i - 500);
    }

    private SliceQuery whole(String reader) {
        return new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, cap, true);
    }
}
