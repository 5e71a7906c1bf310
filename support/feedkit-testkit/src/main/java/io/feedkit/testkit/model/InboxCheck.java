package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares an inbox at rest with the oracle. The inbox must be within its bounds. Above its floor it must hold all
 * pushed posts and no deleted post.
 */
final class InboxCheck {

    private static final int UNBOUNDED = 100_000;

    private final OracleFeed oracle;
    private final FeedStore store;
    private final ModelSettings settings;

    InboxCheck(OracleFeed oracle, FeedStore store, ModelSettings settings) {
        this.oracle = oracle;
        this.store = store;
        this.settings = settings;
    }

    void check(String reader) {
        Slice served = slice(reader, settings.cap());
        Slice stored = slice(reader, UNBOUNDED);
        require(served.posts().size() <= settings.cap(), "serves more than the cap", reader, served);
        require(stored.posts().size() <= settings.cap() + settings.cap() / 8, "stores too much", reader, stored);
        if (stored.state() == State.LIVE) {
            checkContents(reader, stored);
            checkContents(reader, served);
        }
    }

    private void checkContents(String reader, Slice slice) {
        RegisterSnapshot register = RegisterSnapshot.of(store.outbox().pulled());
        Set<Post> held = new HashSet<>(slice.posts());
        require(held.size() == slice.posts().size(), "holds a post twice", reader, slice);
        for (Post post : slice.posts()) {
            require(slice.floor().compareOf(post) >= 0, "holds " + post + " below its floor", reader, slice);
            // A graph of two sides may not know the reader as a follower while the follow is pending.
            boolean gone = !oracle.exists(post.key())
                    && oracle.shows(reader, post.author())
                    && !slice.pending().contains(post.author());
            require(!gone || register.retracting().contains(post.key()), "holds the deleted " + post, reader, slice);
        }
        for (Post post : oracle.feed(reader)) {
            boolean pushed = !register.pulled().containsKey(post.author())
                    && !slice.pending().contains(post.author());
            require(
                    !pushed || slice.floor().compareOf(post) < 0 || held.contains(post),
                    "lacks " + post,
                    reader,
                    slice);
        }
    }

    private Slice slice(String reader, int cap) {
        InboxLimits limits = new InboxLimits(cap, settings.liveWindow().toMillis());
        SliceQuery all = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, UNBOUNDED, false);
        return store.inbox(limits).slice(List.of(all)).get(0);
    }

    private static void require(boolean condition, String message, String reader, Slice slice) {
        if (!condition) {
            throw new AssertionError("the inbox of " + reader + " " + message + ": " + slice);
        }
    }
}
