package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.HeadCache;
import io.feedkit.internal.cache.HeadCache.Expected;
import io.feedkit.internal.cache.HeadCache.Head;
import io.feedkit.internal.cache.PulledAuthors;
import io.feedkit.internal.cache.RegisterView.Known;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One walk over a reader's feed, in chunks, downwards or upwards.
 *
 * <p>Above the floor a chunk is the inbox merged with the outboxes of the pulled authors whose posts it can hold (and of those whose follow is unfinished); below the floor, and
 * where there is no live inbox, it is the outboxes of all followees. Every chunk asks the inbox afresh, so a floor that rises or an inbox that vanishes in
 * the middle of a walk only moves the rest of it to the outboxes. Not thread-safe.
 */
final class FeedScan {

    /**
     * A part of the feed.
     *
     * @param entries in reading order: of followed authors, not deleted
     * @param last the furthest post looked at, of whatever author, if there was one
     * @param candidates how many posts were looked at
     */
    record Chunk(List<Entry> entries, Optional<Position> last, int candidates) {}

    /**
     * A post of the feed.
     *
     * @param post the post
     * @param fromInbox whether the inbox held it
     */
    record Entry(Post post, boolean fromInbox) {}

    /**
     * Where a walk leads.
     *
     * @param reader whose feed
     * @param range from where to where
     * @param order in which direction
     * @param renew whether it is a visit of the reader's, which keeps the inbox live
     */
    record Walk(String reader, PositionRange range, Order order, boolean renew) {}

    private final Inbox inbox;
    private final Outbox outbox;
    private final HeadCache heads;
    private final FolloweeCache followeeCache;
    private final String reader;
    private final Order order;
    private final boolean renew;
    private final Known register;
    private final Expected expected;
    private final CallCount outboxCalls = new CallCount();
    private PositionRange rest;
    private FolloweeSet followees = new FolloweeSet(Set.of(), 0);

    /** The epoch at which they were these; 0 if that cannot be said. */
    private long epoch;

    /** A walk that goes by what is known of the register now. */
    FeedScan(
            Inbox inbox,
            Outbox outbox,
            Known register,
            HeadCache heads,
            FolloweeCache followeeCache,
            Walk walk,
            Expected expected) {
        this.expected = expected;
        this.inbox = inbox;
        this.outbox = outbox;
        this.heads = heads;
        this.followeeCache = followeeCache;
        this.reader = walk.reader();
        this.rest = walk.range();
        this.order = walk.order();
        this.renew = walk.renew();
        this.register = register;
    }

    int outboxCalls() {
        return outboxCalls.get();
    }

    /** Reads the inbox where the walk goes on. */
    Slice slice(int limit) {
        return inbox.slice(List.of(new SliceQuery(reader, rest, order, limit, renew)))
                .get(0);
    }

    /** Lets the walk end with the millisecond of a place that it has reached; the time at which another can go on. */
    Position endWithMillisecondOf(Position reached) {
        if (order == Order.NEWEST_FIRST) {
            Position end = new Position(reached.millis(), "", "");
            rest = new PositionRange(Position.max(rest.from(), end), rest.below());
            return end;
        }
        Position end = new Position(reached.millis() + 1, "", "");
        rest = new PositionRange(rest.from(), Position.min(rest.below(), end));
        return end;
    }

    boolean atEnd() {
        return rest.isEmpty();
    }

    /** Whom the reader follows, as of a slice; asked once a page, unless that changes meanwhile. */
    FolloweeSet followees(Slice slice) {
        if (epoch == 0 || epoch != slice.epoch() || !slice.pending().isEmpty()) {
            followees = followeeCache.of(reader, slice);
            epoch = slice.pending().isEmpty() ? slice.epoch() : 0;
        }
        return followees;
    }

    /** The next part of the feed, given the inbox's slice for it with the same limit; at most {@code limit} posts, possibly none before the end. */
    Chunk next(Slice slice, int limit) {
        Set<String> authors = followees(slice).authors();
        PostMerge.Run run;
        boolean hot;
        if (order == Order.NEWEST_FIRST) {
            hot = slice.floor().compareTo(rest.below()) < 0;
            run = hot ? hot(slice, authors, limit) : cold(authors, rest, limit);
            rest = new PositionRange(rest.from(), Position.max(rest.from(), run.reach()));
        } else {
            hot = slice.floor().compareTo(rest.from()) <= 0;
            PositionRange belowFloor = new PositionRange(rest.from(), Position.min(rest.below(), slice.floor()));
            run = hot ? hot(slice, authors, limit) : cold(authors, belowFloor, limit);
            rest = new PositionRange(run.reach(), rest.below());
        }
        return visible(run, authors, hot, slice.pending());
    }

    private PostMerge.Run hot(Slice slice, Set<String> followees, int limit) {
        List<Post> posts = slice.posts();
        PostMerge.Source inbox =
                source(posts, limit, new PositionRange(Position.max(slice.floor(), rest.from()), rest.below()));
        Position reach = inbox.reach(order);
        List<PostMerge.Source> sources = new ArrayList<>();
        sources.add(inbox);
        PositionRange covered = order == Order.NEWEST_FIRST
                ? new PositionRange(reach, rest.below())
                : new PositionRange(rest.from(), reach);
        PulledAuthors pulled = register.pulled(followees, covered, order, limit, heads);
        List<String> authors = with(slice.pending(), followees, pulled.authors());
        if (!authors.isEmpty()) {
            addOutboxes(sources, authors, covered, limit);
        }
        pulled.others().ifPresent(highest -> sources.add(new PostMerge.Source(List.of(), Optional.of(highest.next()))));
        return PostMerge.of(order, sources, limit);
    }

    /** The authors, and those of unfinished follows: of their posts the inbox may hold none. */
    private static List<String> with(Set<String> pending, Set<String> followees, List<String> pulled) {
        if (pending.isEmpty()) {
            return pulled;
        }
        Set<String> authors = new HashSet<>(pending);
        authors.retainAll(followees);
        authors.addAll(pulled);
        return List.copyOf(authors);
    }

    private void addOutboxes(List<PostMerge.Source> sources, List<String> authors, PositionRange range, int limit) {
        if (authors.size() > HeadCache.MOST_AT_ONCE) {
            sources.add(outboxes(Set.copyOf(authors), range, limit));
            return;
        }
        List<Head> found = heads.get(authors, expected, outboxCalls);
        Position start =
                order == Order.NEWEST_FIRST ? range.below() : range.from().next();
        Set<String> deep = new HashSet<>();
        for (int i = 0; i < authors.size(); i++) {
            Head head = found.get(i);
            if (head.reachesBelow(start)) {
                sources.add(part(head, range));
            } else {
                deep.add(authors.get(i));
            }
        }
        if (!deep.isEmpty()) {
            sources.add(outboxes(deep, range, limit));
        }
    }

    private PostMerge.Run cold(Set<String> followees, PositionRange range, int limit) {
        return PostMerge.Run.of(order, outboxes(followees, range, limit), 0);
    }

    private PostMerge.Source outboxes(Set<String> authors, PositionRange range, int limit) {
        List<Post> posts = List.of();
        if (!authors.isEmpty() && !range.isEmpty()) {
            outboxCalls.increment();
            posts = outbox.page(new PageQuery(authors, range, order, limit));
        }
        return source(posts, limit, range);
    }

    /** What answered a request for {@code limit} posts of a range with these. */
    private PostMerge.Source source(List<Post> posts, int limit, PositionRange range) {
        return new PostMerge.Source(posts, posts.size() < limit ? Optional.of(end(range)) : Optional.empty());
    }

    private Position end(PositionRange range) {
        return order == Order.NEWEST_FIRST ? range.from() : range.below();
    }

    /**
     * The posts of a head (newest first) that lie in the range, in reading order; downwards also those below it, where no merge goes. Few are looked at, since a store may make
     * them only then.
     */
    private PostMerge.Source part(Head head, PositionRange range) {
        List<Post> posts = head.posts();
        int first = firstBelow(posts, range.below());
        if (order == Order.NEWEST_FIRST) {
            return new PostMerge.Source(
                    posts.subList(first, posts.size()), head.whole() ? Optional.of(Position.LOWEST) : Optional.empty());
        }
        List<Post> part = new ArrayList<>(posts.subList(first, Math.max(first, firstBelow(posts, range.from()))));
        Collections.reverse(part);
        return new PostMerge.Source(part, Optional.of(range.below()));
    }

    private static int firstBelow(List<Post> newestFirst, Position bound) {
        int low = 0;
        int high = newestFirst.isEmpty() || bound.compareOf(newestFirst.get(0)) < 0 ? 0 : newestFirst.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (bound.compareOf(newestFirst.get(middle)) >= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Chunk visible(PostMerge.Run run, Set<String> followees, boolean hot, Set<String> pending) {
        List<Entry> entries = new ArrayList<>(run.found().size());
        for (PostMerge.Found found : run.found()) {
            Post post = found.post();
            boolean fromInbox = hot && found.source() == 0;
            boolean due = !hot || fromInbox || pending.contains(post.author()) || register.isUnpushed(post);
            if (due && followees.contains(post.author()) && !register.isRetracting(post)) {
                entries.add(new Entry(post, fromInbox));
            }
        }
        return new Chunk(
                entries,
                run.found().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Position.of(
                                run.found().get(run.found().size() - 1).post())),
                run.found().size());
    }
}
