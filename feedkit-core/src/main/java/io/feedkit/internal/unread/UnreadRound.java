package io.feedkit.internal.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.transaction.FollowWatch;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.internal.unread.UnpushedPosts.Ranges;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One count of some feeds.
 *
 * <p>Posts at or above the floor of a live inbox are counted in the inbox, except for unpushed posts of pulled authors.
 * These are counted apart ({@link UnpushedPosts}), whether the inbox holds them or not. So a post that is pushed at
 * that moment is counted exactly once. Posts below the floor are counted in the outboxes, and so is the whole feed of a
 * reader without a live inbox.
 *
 * <p>A count of an inbox names no authors. So the entries themselves are read, for many readers at once, if a page
 * might hide some of them: posts that are being retracted, own posts, and posts of authors who are no longer followed
 * (unless the feed is read from all followees and the inbox is among the {@link KnownInboxes}). A feed is read on its
 * own if a page would need other sources too: the host has a filter, or a follow is unfinished. Used by one thread.
 */
final class UnreadRound {

    /** How many inboxes are read together. */
    private static final int SLICES_AT_ONCE = 20;

    /** How often a feed is counted if its followees turn out to differ from the cached ones. */
    private static final int ATTEMPTS = 2;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final InboxBreaker breaker;
    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final RecentPostsCache recentPosts;
    private final FolloweeCache followeeCache;
    private final OwnPostDelivery ownPosts;
    private final FollowWatch reportedFollows;
    private final KnownInboxes inboxes;
    private final FeedReader feeds;
    private final Map<String, SeenPosts> marks;
    private final int cap;
    private final int limit;
    private final Map<String, Unread> answers = new HashMap<>();

    private boolean inboxesAreDown;

    /** Inboxes whose entries must be read, as the inboxes were when they were counted. */
    private final Map<String, Slice> toRead = new HashMap<>();

    UnreadRound(
            EngineSettings settings,
            Inbox inbox,
            InboxBreaker breaker,
            Outbox outbox,
            RegisterCache registerCache,
            RecentPostsCache recentPosts,
            FolloweeCache followeeCache,
            OwnPostDelivery ownPosts,
            FollowWatch reportedFollows,
            KnownInboxes inboxes,
            FeedReader feeds,
            Map<String, SeenPosts> marks) {
        this.settings = settings;
        this.inbox = inbox;
        this.breaker = breaker;
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.recentPosts = recentPosts;
        this.followeeCache = followeeCache;
        this.ownPosts = ownPosts;
        this.reportedFollows = reportedFollows;
        this.inboxes = inboxes;
        this.feeds = feeds;
        this.marks = marks;
        cap = settings.unreadCap();
        limit = cap + 1;
    }

    Map<String, Unread> count() {
        marks.keySet().forEach(reportedFollows::apply);
        countInInboxes();
        List<String> left = marks.keySet().stream()
                .filter(reader -> !answers.containsKey(reader))
                .toList();
        if (inboxesAreDown && !left.isEmpty()) {
            InboxBreaker.Permit permit = breaker.permit();
            try {
                readFeeds(left);
            } finally {
                permit.close();
            }
        } else {
            readFeeds(left);
        }
        return answers;
    }

    private void readFeeds(List<String> readers) {
        readers.forEach(reader -> answers.put(reader, feeds.count(reader, seen(reader), cap, inboxesAreDown)));
    }

    private void countInInboxes() {
        if (settings.filter() == EngineSettings.SHOW_ALL) {
            marks.keySet().forEach(reader -> ownPosts.deliver(reader));
            List<String> left = List.copyOf(marks.keySet());
            for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
                left = count(left);
            }
            List<String> some = List.copyOf(toRead.keySet());
            for (int i = 0; i < some.size() && !inboxesAreDown; i += SLICES_AT_ONCE) {
                readEntries(some.subList(i, Math.min(some.size(), i + SLICES_AT_ONCE)));
            }
        }
    }

    private SeenPosts seen(String reader) {
        return requireNonNull(marks.get(reader));
    }

    /** The lowest position that can be unread. */
    private Position from(String reader) {
        return seen(reader).rest().from();
    }

    /** The most entries of an inbox to read: even without the seen ones among them, there may be more than the cap. */
    private int limit(String reader) {
        return limit + seen(reader).size();
    }

    /**
     * Counts without reading entries. Returns the readers for whom another attempt makes sense, because their followees
     * differ from the cached ones.
     */
    private List<String> count(List<String> readers) {
        List<FolloweeSet> remembered = remembered(readers);
        List<RegisterView> before = registerCache.current(remembered);
        long departures = registerCache.departures();
        List<Ranges> expected = new ArrayList<>();
        List<CountQuery> queries = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            Ranges ranges = ranges(before.get(i), reader, remembered.get(i));
            expected.add(ranges);
            Position highest = seen(reader).highest();
            queries.add(new CountQuery(reader, from(reader), highest, limit(reader), ranges.asked()));
        }
        List<Count> counts = breaker.ask(() -> inbox.count(queries));
        if (counts == null) {
            inboxesAreDown = true;
            return List.of();
        }
        UnpushedPosts unpushed = new UnpushedPosts(registerCache, recentPosts);
        List<String> again = new ArrayList<>();
        OpenCounts open = new OpenCounts(outbox, limit);
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            Count count = counts.get(i);
            Slice inbox = count.inbox();
            FolloweeSet followees = followeeCache.of(reader, inbox);
            Ranges ranges = followees == remembered.get(i)
                    ? expected.get(i)
                    : ranges(registered(before.get(i), departures, followees), reader, followees);
            boolean known = ranges.register().isAbout(followees.authors());
            boolean asked = known && expected.get(i).asked().equals(ranges.asked());
            if (!asked && (inbox.state() == State.LIVE || !known)) {
                again.add(reader);
            } else if (isWhole(inbox, ranges)) {
                if (isCertain(reader, count, followees, ranges)) {
                    boolean own = count.above() > 0 && settings.ownPosts();
                    int above = count.above() + shown(reader, inbox, followees, ranges);
                    open.add(feed(reader, withoutPosts(inbox), followees), above, own, ranges);
                } else {
                    toRead.put(reader, inbox);
                }
            }
        }
        finish(open, unpushed).forEach(feed -> toRead.put(feed.reader(), feed.inbox()));
        return again;
    }

    private List<FolloweeSet> remembered(List<String> readers) {
        return readers.stream().map(followeeCache::remembered).toList();
    }

    /**
     * The registration of a reader's followees before the inbox was read, if it is known; otherwise the registration of
     * the cached followees.
     */
    private RegisterView registered(RegisterView before, long departures, FolloweeSet followees) {
        Set<String> authors = followees.authors();
        if (before.isAbout(authors)) {
            return before;
        }
        RegisterView known = registerCache.known(authors);
        return known.isAbout(authors) && registerCache.departures() == departures ? known : before;
    }

    private Ranges ranges(RegisterView register, String reader, FolloweeSet followees) {
        return Ranges.of(register, followees.authors(), from(reader));
    }

    private OpenCounts.Feed feed(String reader, Slice inbox, FolloweeSet followees) {
        return new OpenCounts.Feed(reader, inbox, followees.authors(), seen(reader));
    }

    /** Whether a page would show all entries that were counted. */
    private boolean isCertain(String reader, Count count, FolloweeSet followees, Ranges ranges) {
        Slice inbox = count.inbox();
        Position bottom = Position.max(seen(reader).highest().next(), inbox.floor());
        return inbox.state() != State.LIVE
                || (inbox.posts().size() < limit(reader) && count.above() == 0)
                || (inbox.posts().size() < limit(reader)
                        && ranges.areAsked()
                        && followees.isWhole()
                        && !ranges.register().isRetractingAnyOf(followees.authors())
                        && inboxes.isKnown(reader, inbox, followees, bottom));
    }

    /** Whether a page would show nothing but entries and unpushed posts. */
    private static boolean isWhole(Slice inbox, Ranges ranges) {
        return inbox.state() != State.LIVE || (inbox.pending().isEmpty() && ranges.areExact());
    }

    /** Counts by reading entries, and records the inboxes whose entries need not be read again. */
    private void readEntries(List<String> readers) {
        List<RegisterView> before = registerCache.current(remembered(readers));
        List<Boolean> settled = new ArrayList<>();
        List<SliceQuery> queries = new ArrayList<>();
        for (String reader : readers) {
            settled.add(inboxes.isSettled(reader, requireNonNull(toRead.get(reader))));
            PositionRange range = PositionRange.from(from(reader));
            queries.add(new SliceQuery(reader, range, Order.NEWEST_FIRST, limit(reader), false));
        }
        List<Slice> slices = breaker.ask(() -> inbox.slice(queries));
        if (slices == null) {
            inboxesAreDown = true;
            return;
        }
        UnpushedPosts unpushed = new UnpushedPosts(registerCache, recentPosts);
        OpenCounts open = new OpenCounts(outbox, limit);
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            Slice inbox = slices.get(i);
            FolloweeSet followees = followeeCache.of(reader, inbox);
            if (!before.get(i).isAbout(followees.authors())) {
                continue;
            }
            Ranges ranges = ranges(before.get(i), reader, followees);
            boolean all = inbox.posts().size() < limit(reader);
            if (all && settled.get(i) && isSame(inbox, requireNonNull(toRead.get(reader)))) {
                wasRead(reader, inbox, followees);
            }
            int above = shown(reader, inbox, followees, ranges);
            if (isWhole(inbox, ranges) && (all || above >= limit)) {
                open.add(feed(reader, withoutPosts(inbox), followees), above, false, ranges);
            }
        }
        finish(open, unpushed);
    }

    private void wasRead(String reader, Slice inbox, FolloweeSet followees) {
        boolean strangers =
                inbox.posts().stream().anyMatch(post -> !followees.authors().contains(post.author()));
        if (!strangers) {
            inboxes.wasRead(reader, inbox, followees, Position.max(from(reader), inbox.floor()));
        }
    }

    private static boolean isSame(Slice inbox, Slice before) {
        return inbox.state() == State.LIVE
                && inbox.pending().isEmpty()
                && inbox.generation() == before.generation()
                && inbox.epoch() == before.epoch();
    }

    /**
     * How many unseen entries a page would show, without entries that are counted apart and the reader's own posts.
     */
    private int shown(String reader, Slice inbox, FolloweeSet followees, Ranges ranges) {
        int shown = 0;
        for (Post post : inbox.posts()) {
            String author = post.author();
            if (followees.authors().contains(author)
                    && !author.equals(reader)
                    && !ranges.register().isRetracting(post)
                    && !ranges.contain(post)
                    && !seen(reader).contains(post)) {
                shown++;
            }
        }
        return shown;
    }

    private static Slice withoutPosts(Slice inbox) {
        return new Slice(
                inbox.state(),
                List.of(),
                inbox.floor(),
                inbox.generation(),
                inbox.mark(),
                inbox.followees(),
                inbox.epoch(),
                inbox.pending());
    }

    /** Adds the counts from the caches and the outboxes. Returns the feeds that turn out to hold own posts. */
    private List<OpenCounts.Feed> finish(OpenCounts open, UnpushedPosts unpushed) {
        return open.finish(unpushed, (reader, all) -> answers.put(reader, new Unread(Math.min(cap, all), all > cap)));
    }
}
