package io.feedkit.internal.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.Unread;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.transaction.FollowWatch;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the unread posts of many feeds. The counts equal those that reading the feeds would give; a feed is read only
 * if its count is not certain otherwise. Opens no inbox and renews none. Apart from the answers, memory use does not
 * grow with the number of readers. Thread-safe.
 */
public final class FeedUnread {

    /** How many feeds are counted together. */
    static final int READERS_AT_ONCE = 200;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final InboxBreaker breaker;
    private final Outbox outbox;
    private final SeenMarks seenMarks;
    private final RegisterCache registerCache;
    private final RecentPostsCache recentPosts;
    private final FolloweeCache followeeCache;
    private final OwnPostDelivery ownPosts;
    private final FollowWatch reportedFollows;
    private final FeedReader feeds;
    private final GuardedListener listener;
    private final KnownInboxes inboxes;

    public FeedUnread(
            EngineSettings settings,
            Inbox inbox,
            InboxBreaker breaker,
            Outbox outbox,
            SeenMarks seenMarks,
            RegisterCache registerCache,
            RecentPostsCache recentPosts,
            FolloweeCache followeeCache,
            OwnPostDelivery ownPosts,
            FollowWatch reportedFollows,
            FeedReader feeds,
            GuardedListener listener) {
        this.settings = settings;
        this.inbox = inbox;
        this.breaker = breaker;
        this.outbox = outbox;
        this.seenMarks = seenMarks;
        this.registerCache = registerCache;
        this.recentPosts = recentPosts;
        this.followeeCache = followeeCache;
        this.ownPosts = ownPosts;
        this.reportedFollows = reportedFollows;
        this.feeds = feeds;
        this.listener = listener;
        inboxes = new KnownInboxes(outbox.fanout(), settings);
    }

    /** Counts the posts of others that are not in each reader's mark, up to the cap. */
    public Map<String, Unread> count(Collection<String> readers) {
        List<String> asked = readers.stream().distinct().toList();
        return listener.observe(Kind.COUNT_UNREAD, asked.size(), () -> countAll(asked));
    }

    private Map<String, Unread> countAll(List<String> asked) {
        Map<String, Unread> answers = new HashMap<>();
        for (int i = 0; i < asked.size(); i += READERS_AT_ONCE) {
            List<String> some = asked.subList(i, Math.min(asked.size(), i + READERS_AT_ONCE));
            answers.putAll(count(marks(some)));
        }
        return Map.copyOf(answers);
    }

    /** Counts the posts of others that a reader has not seen, up to the cap. */
    public Unread count(String reader, SeenPosts seen) {
        return listener.observe(
                Kind.COUNT_UNREAD,
                1,
                () -> requireNonNull(count(Map.of(reader, seen)).get(reader)));
    }

    private Map<String, Unread> count(Map<String, SeenPosts> seen) {
        return new UnreadRound(
                        settings,
                        inbox,
                        breaker,
                        outbox,
                        registerCache,
                        recentPosts,
                        followeeCache,
                        ownPosts,
                        reportedFollows,
                        inboxes,
                        feeds,
                        seen)
                .count();
    }

    private Map<String, SeenPosts> marks(List<String> readers) {
        List<SeenPosts> seen = seenMarks.lastSeen(readers);
        Map<String, SeenPosts> marks = new LinkedHashMap<>();
        for (int i = 0; i < readers.size(); i++) {
            marks.put(readers.get(i), seen.get(i));
        }
        return marks;
    }
}
