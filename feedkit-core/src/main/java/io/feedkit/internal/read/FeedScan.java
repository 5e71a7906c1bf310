package io.feedkit.internal.read;

import static java.util.function.Predicate.not;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.PulledAuthors;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.view.FeedView;
import io.feedkit.internal.view.FeedViews;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.internal.view.Walk;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One walk over a reader's feed, in chunks, downwards or upwards.
 *
 * <p>Above the floor, a chunk is merged from the inbox, from the recent posts of pulled authors whose posts the chunk
 * can hold, and from the outboxes of authors whose follow is pending. Below the floor, and without a live inbox, a
 * chunk is read from the outboxes of all followees. Every chunk has a view of its own. So if a floor rises or an inbox
 * vanishes during a walk, the rest of the walk is read from the outboxes. A walk that was read from the outboxes,
 * although an inbox could have been used, stays with the outboxes, also on its later pages: it began with posts that
 * the inbox may not hold yet. Not thread-safe.
 */
final class FeedScan implements Scan {

    private final FeedViews views;
    private final SourceOfTruth source;
    private final Walk walk;
    private final Order order;
    private final CallCount outboxCalls = new CallCount();

    /** The posts of this walk. Until an inbox is reconciled, a post whose time has changed may be at two positions. */
    private final Set<PostKey> shown = new HashSet<>();

    private @Nullable FeedView last;
    private PositionRange rest;
    private boolean cutOff;

    /** Whether the walk continues in the outboxes, because it has shown posts that the inbox may not hold yet. */
    private boolean beyondInbox;

    FeedScan(FeedViews views, SourceOfTruth source, Walk walk) {
        this(views, source, walk, null);
    }

    /** A walk that goes on from a view; without one, it opens the first. */
    FeedScan(FeedViews views, SourceOfTruth source, Walk walk, @Nullable FeedView last) {
        this.views = views;
        this.source = source;
        this.walk = walk;
        this.last = last;
        this.order = walk.order();
        this.rest = walk.range();
        this.beyondInbox = walk.beyondInbox();
    }

    @Override
    public void close() {
        if (last != null) {
            last.close();
        }
    }

    @Override
    public int outboxCalls() {
        return outboxCalls.get();
    }

    @Override
    public boolean atEnd() {
        return rest.isEmpty();
    }

    @Override
    public boolean isCutOff() {
        return cutOff;
    }

    @Override
    public boolean isBeyondInbox() {
        return beyondInbox;
    }

    @Override
    public Set<Caveat> caveats() {
        EnumSet<Caveat> caveats = EnumSet.noneOf(Caveat.class);
        if (walk.isCached()) {
            caveats.add(Caveat.STALE);
        }
        if (last != null && !last.followees().isWhole()) {
            caveats.add(Caveat.SOME_FOLLOWEES);
        }
        return caveats;
    }

    @Override
    public Position endWithMillisecondOf(Position reached) {
        Position end = ScanEnd.ofMillisecond(reached, order);
        rest = ScanEnd.upTo(rest, order, end);
        return end;
    }

    @Override
    public Chunk next(int limit) {
        FeedView view = last == null ? views.open(walk, limit, outboxCalls) : views.next(walk, last, rest, limit);
        last = view;
        Position floor = view.inbox().floor();
        boolean down = order == Order.NEWEST_FIRST;
        boolean reached = down ? floor.compareTo(rest.below()) < 0 : floor.compareTo(rest.from()) <= 0;
        boolean hot = reached && (!beyondInbox || walk.isCached());
        // Below the floor of a live inbox, every page reads the outboxes. A walk upwards may leave this part within the
        // chunk.
        boolean belowFloor = view.isLive() && !reached && (down || !beyondInbox);
        if (!hot && walk.isCached()) {
            cutOff = true;
            return new Chunk(List.of(), Optional.empty(), 0);
        }
        PositionRange coldest =
                down || beyondInbox ? rest : new PositionRange(rest.from(), Position.min(rest.below(), floor));
        PostMerge.Run run = hot ? hot(view, limit) : cold(view.authors(), coldest, limit);
        rest = ScanEnd.after(rest, order, run.reach());
        beyondInbox =
                !belowFloor && (beyondInbox || !hot || !view.inbox().pending().isEmpty());
        return visible(view, run, hot, belowFloor);
    }

    private PostMerge.Run hot(FeedView view, int limit) {
        PositionRange above = new PositionRange(Position.max(view.inbox().floor(), rest.from()), rest.below());
        PostMerge.Source inbox = source(view.inbox().posts(), limit, above);
        Position reach = inbox.reach(order);
        PositionRange covered = order == Order.NEWEST_FIRST
                ? new PositionRange(reach, rest.below())
                : new PositionRange(rest.from(), reach);
        List<PostMerge.Source> sources = new ArrayList<>();
        sources.add(view.inbox().pending().isEmpty() ? inbox : withoutPending(view, reach));
        PulledAuthors pulled = view.register().pulled(view.authors()::contains, covered, order, limit);
        addOutboxes(sources, view, pulled.authors(), covered, limit);
        pulled.others().ifPresent(highest -> sources.add(new PostMerge.Source(List.of(), Optional.of(highest.next()))));
        return PostMerge.of(order, sources, limit);
    }

    /**
     * The inbox's posts without those of authors whose follow is pending. Retractions of such posts may not reach the
     * inbox, so the outboxes are read instead.
     */
    private static PostMerge.Source withoutPending(FeedView view, Position reach) {
        List<Post> posts = view.inbox().posts().stream()
                .filter(post -> !view.inbox().pending().contains(post.author()))
                .toList();
        return new PostMerge.Source(posts, Optional.of(reach));
    }

    /** The followees with pending follows: the inbox may hold none of their posts. */
    private static Set<String> pending(FeedView view) {
        Set<String> authors = new HashSet<>(view.inbox().pending());
        authors.retainAll(view.authors());
        return authors;
    }

    /**
     * Adds what the inbox may not hold: the unpushed posts of pulled authors, which are cached, and all posts of
     * pending ones. Pushed posts change no entry in the register, so a cache does not notice them.
     */
    private void addOutboxes(
            List<PostMerge.Source> sources, FeedView view, List<String> pulled, PositionRange range, int limit) {
        Set<String> pending = pending(view);
        if (walk.isCached()) {
            addCached(sources, view, union(pulled, pending), range);
            return;
        }
        if (pulled.size() > RecentPostsCache.MOST_AT_ONCE) {
            sources.add(outboxes(union(pulled, pending), range, limit));
            return;
        }
        Position start =
                order == Order.NEWEST_FIRST ? range.below() : range.from().next();
        Set<String> deep = new HashSet<>(pending);
        List<String> cached = pending.isEmpty()
                ? pulled
                : pulled.stream().filter(not(pending::contains)).toList();
        List<RecentPosts> found = source.recent(cached, view.register(), outboxCalls);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).reachBelow(start)) {
                sources.add(part(found.get(i), range));
            } else {
                deep.add(cached.get(i));
            }
        }
        if (!deep.isEmpty()) {
            sources.add(outboxes(deep, range, limit));
        }
    }

    private static Set<String> union(Collection<String> some, Collection<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** Adds the cached posts of authors. Other posts of these authors may be missing, so the page is marked stale. */
    private void addCached(List<PostMerge.Source> sources, FeedView view, Set<String> authors, PositionRange range) {
        long registeredAt = views.registeredAt();
        for (String author : authors) {
            source.cached().heldAt(registeredAt, author, view.register()).ifPresent(recent -> {
                PostMerge.Source part = part(recent, range);
                sources.add(new PostMerge.Source(part.posts(), Optional.of(ScanEnd.of(range, order))));
            });
        }
    }

    private PostMerge.Run cold(Set<String> authors, PositionRange range, int limit) {
        return PostMerge.Run.of(order, outboxes(authors, range, limit), 0);
    }

    private PostMerge.Source outboxes(Set<String> authors, PositionRange range, int limit) {
        List<Post> posts = List.of();
        if (!authors.isEmpty() && !range.isEmpty()) {
            outboxCalls.increment();
            posts = source.page(new PageQuery(authors, range, order, limit));
        }
        return source(posts, limit, range);
    }

    /** A source from the answer to a request for {@code limit} posts of a range. */
    private PostMerge.Source source(List<Post> posts, int limit, PositionRange range) {
        return new PostMerge.Source(
                posts, posts.size() < limit ? Optional.of(ScanEnd.of(range, order)) : Optional.empty());
    }

    /**
     * The recent posts that lie in the range, in reading order. Downwards, posts below the range are also included; no
     * merge reaches them. The method reads few posts, because a store may create a post only when it is read.
     */
    private PostMerge.Source part(RecentPosts recent, PositionRange range) {
        List<Post> posts = recent.posts();
        int first = firstBelow(posts, range.below());
        if (order == Order.NEWEST_FIRST) {
            return new PostMerge.Source(
                    posts.subList(first, posts.size()),
                    recent.whole() ? Optional.of(Position.LOWEST) : Optional.empty());
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

    /**
     * The posts of a run that may be shown. Posts from outboxes are early, unless they are registered or lie below the
     * floor of a live inbox: there, all pages read the outboxes.
     */
    private Chunk visible(FeedView view, PostMerge.Run run, boolean hot, boolean belowFloor) {
        List<FeedEntry> entries = new ArrayList<>(run.found().size());
        Set<Post> left = hot && !walk.isCached() ? left(run) : Set.of();
        Post post = null;
        for (PostMerge.Found found : run.found()) {
            post = found.post();
            boolean fromInbox = hot && found.source() == 0;
            boolean settled = fromInbox || view.register().isUnpushed(post);
            boolean due = settled || !hot || view.inbox().pending().contains(post.author());
            if (due
                    && !(fromInbox && left.contains(post))
                    && view.authors().contains(post.author())
                    && !view.register().isRetracting(post)
                    && shown.add(post.key())) {
                entries.add(new FeedEntry(post, fromInbox, !settled && !belowFloor && !walk.isCached()));
            }
        }
        return new Chunk(
                entries,
                Optional.ofNullable(post).map(Position::of),
                run.found().size());
    }

    /** The inbox's entries at places that their posts have left. */
    private Set<Post> left(PostMerge.Run run) {
        return source.atOldPlaces(() -> run.found().stream()
                .filter(found -> found.source() == 0)
                .map(PostMerge.Found::post)
                .toList());
    }
}
