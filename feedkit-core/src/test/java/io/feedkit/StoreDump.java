package io.feedkit;

import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that a store holds about some users: equal before and after whatever must not write. */
public record StoreDump(
        List<Post> posts,
        QueueStatus log,
        RegisterSnapshot register,
        Map<String, FollowCounts> graph,
        List<List<String>> followees,
        List<Slice> inboxes,
        List<SeenPosts> seen) {

    private static final int EVERYTHING = 10_000;

    public static StoreDump of(FeedStore store, String... users) {
        List<String> all = List.of(users);
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        return new StoreDump(
                store.outbox().page(new PageQuery(Set.copyOf(all), PositionRange.ALL, Order.NEWEST_FIRST, EVERYTHING)),
                store.outbox().fanout().queueStatus(),
                RegisterSnapshot.of(store.outbox().pulled()),
                store.graph().counts(all),
                all.stream()
                        .map(user ->
                                store.graph().followees(user, "", EVERYTHING).ids())
                        .toList(),
                store.inbox(limits)
                        .slice(all.stream()
                                .map(user ->
                                        new SliceQuery(user, PositionRange.ALL, Order.NEWEST_FIRST, EVERYTHING, false))
                                .toList()),
                store.seenMarks().lastSeen(all));
    }
}
