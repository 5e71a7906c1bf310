package io.feedkit.internal.read;

import static java.util.function.Predicate.not;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.PulledAuthors;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
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
 * chunk is read from the outboxes of all followees. Every chunk reads the inbox again. So if a floor rises or an inbox
 * vanishes during a walk, the rest of the walk is read from the outboxes. A walk that was read from the outboxes,
 * although an inbox could have been used, stays with the outboxes, also on its later pages: it began with posts that
 * the inbox may not hold yet. Not thread-safe.
 */
final class FeedScan implements Scan {

    /** How often one chunk reads the inbox while the reader's followees change. */
    private static final int LOOKS = 3;

    private final CircuitBreaker source;
    private final LiveInboxes inboxes;
    private final InboxBreaker breaker;
    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final RecentPostsCache recentPosts;
    private final FolloweeCache followeeCache;
    private final OldPlaces oldPlaces;
    private final Walk walk;
    private final Order order;
    private final CallCount outboxCalls = new CallCount();

    /** The posts of this walk. Until an inbox is reconciled, a post whose time has changed may be at two positions. */
    private final Set<PostKey> shown = new HashSet<>();

    private RegisterView register;
    private PositionRange rest;
    private boolean begun;
    private InboxBreaker.@Nullable Permit permit;
    private FolloweeSet followees = FolloweeSet.NOBODY;
    private boolean cutOff;

    /** Whether the walk continues in the outboxes, because it has shown posts that the inbox may not hold yet. */
    private boolean beyondInbox;

    /** Whether this walk has loaded the followees, because no inbox can confirm the cached ones. */
    private boolean loadedWithoutInbox;

    /** The epoch of these followees; 0 if it is not known. */
    private long epoch;

    /** A walk with a view of the register from before its beginning. */
    FeedScan(
            CircuitBreaker source,
            LiveInboxes inboxes,
            InboxBreaker breaker,
            Outbox outbox,
            RegisterCache registerCache,
            RecentPostsCache recentPosts,
            FolloweeCache followeeCache,
            OldPlaces oldPlaces,
            Walk walk,
            RegisterView register) {
        this.source = source;
        this.inboxes = inboxes;
        this.breaker = breaker;
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.recentPosts = recentPosts;
        this.followeeCache = followeeCache;
        this.oldPlaces = oldPlaces;
        this.walk = walk;
        this.order = walk.order();
        this.rest = walk.range();
        this.register = register;
        this.beyondInbox = walk.beyondInbox();
    }

    /** Gives back the permit, if this walk read from the outboxes because the inbox store was down. */
    @Override
    public void close() {
        if (permit != null) {
            permit.close();
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
        if (isFromInbox()) {
            caveats.add(Caveat.STALE);
        }
        if (!followees.isWhole()) {
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
        Slice slice = look(limit);
        Set<String> authors = followees.authors();
        boolean reached = order == Order.NEWEST_FIRST
                ? slice.floor().compareTo(rest.below()) < 0
                : slice.floor().compareTo(rest.from()) <= 0;
        boolean down = order == Order.NEWEST_FIRST;
        boolean hot = reached && (!beyondInbox || isFromInbox());
        // Below the floor of a live inbox, every page reads the outboxes. A walk upwards may leave this part within the
        // chunk.
        boolean belowFloor = slice.state() == State.LIVE && !reached && (down || !beyondInbox);
        if (!hot && isFromInbox()) {
            cutOff = true;
            return new Chunk(List.of(), Optional.empty(), 0);
        }
        PostMerge.Run run;
        if (order == Order.NEWEST_FIRST) {
            run = hot ? hot(slice, authors, limit) : cold(authors, rest, limit);
            rest = ScanEnd.after(rest, order, run.reach());
        } else {
            PositionRange coldest =
                    beyondInbox ? rest : new PositionRange(rest.from(), Position.min(rest.below(), slice.floor()));
            run = hot ? hot(slice, authors, limit) : cold(authors, coldest, limit);
            rest = ScanEnd.after(rest, order, run.reach());
        }
        beyondInbox = !belowFloor && (beyondInbox || !hot || !slice.pending().isEmpty());
        return visible(run, authors, hot, belowFloor, slice.pending());
    }

    /**
     * Reads the inbox at the present position of the walk. The registration of the reader's followees must have been
     * known before this read. If the followees differ from the expected ones, the inbox is read again, unless nothing
     * has left the register meanwhile.
     */
    private Slice look(int limit) {
        long departures = registerCache.departures();
        Slice slice = slice(limit);
        for (int looks = 1; !wasRegisteredBefore(slice, departures); looks++) {
            if (looks == LOOKS) {
                return asAbsent(slice);
            }
            departures = registerCache.departures();
            slice = slice(limit);
        }
        return slice;
    }

    /**
     * Whether the registration of a slice's followees was known before the slice was read. The registration is known
     * afterwards in any case.
     */
    private boolean wasRegisteredBefore(Slice slice, long departures) {
        Set<String> authors = followees(slice).authors();
        if (register.isAbout(authors)) {
            return true;
        }
        RegisterView known = registerCache.known(authors);
        boolean areKnown = known.isAbout(authors);
        if (!areKnown && isFromInbox()) {
            throw sourceIsDown();
        }
        register = areKnown ? known : source.watch(() -> registerCache.current(authors));
        return areKnown && registerCache.departures() == departures;
    }

    /** Whether the walk begins at the top of the feed, wherever it ends. */
    private boolean isFirstPage() {
        return order == Order.NEWEST_FIRST && rest.below().equals(PositionRange.ALL.below());
    }

    private Slice slice(int limit) {
        SliceQuery query = new SliceQuery(walk.reader(), rest, order, limit, walk.visit());
        boolean first = !begun;
        begun = true;
        if (walk.sources() == Walk.Sources.OUTBOXES || permit != null) {
            return LiveInboxes.UNREACHABLE;
        }
        Slice slice = first && walk.visit() && walk.sources() == Walk.Sources.ALL
                ? inboxes.visit(query, isFirstPage(), this::followees)
                : inboxes.slice(query);
        if (slice.equals(LiveInboxes.UNREACHABLE)) {
            if (isFromInbox()) {
                throw sourceIsDown();
            }
            permit = breaker.permit();
        }
        return slice;
    }

    private boolean isFromInbox() {
        return walk.sources() == Walk.Sources.INBOX;
    }

    /** The failure of a page that needs more than the inbox and the engine's caches. */
    static StoreUnavailableException sourceIsDown() {
        return new StoreUnavailableException(
                "feed.read",
                new IllegalStateException(
                        "the source of truth is down, and the page needs more than the inbox and the engine's caches"));
    }

    private static Slice asAbsent(Slice slice) {
        return new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, slice.epoch(), slice.pending());
    }

    /** The reader's followees as of a slice; loaded once for a page, unless they change meanwhile. */
    private FolloweeSet followees(Slice slice) {
        if (isFromInbox()) {
            followees = followeeCache.remembered(walk.reader(), slice).orElseThrow(FeedScan::sourceIsDown);
        } else if (slice.equals(LiveInboxes.UNREACHABLE)) {
            if (!loadedWithoutInbox) {
                followees = source.watch(() -> followeeCache.load(walk.reader()));
                loadedWithoutInbox = true;
            }
        } else if (epoch == 0 || epoch != slice.epoch() || !slice.pending().isEmpty()) {
            followees = source.watch(() -> followeeCache.of(walk.reader(), slice));
            epoch = slice.pending().isEmpty() ? slice.epoch() : 0;
        }
        return followees;
    }

    private PostMerge.Run hot(Slice slice, Set<String> authors, int limit) {
        PostMerge.Source inbox =
                source(slice.posts(), limit, new PositionRange(Position.max(slice.floor(), rest.from()), rest.below()));
        Position reach = inbox.reach(order);
        PositionRange covered = order == Order.NEWEST_FIRST
                ? new PositionRange(reach, rest.below())
                : new PositionRange(rest.from(), reach);
        List<PostMerge.Source> sources = new ArrayList<>();
        sources.add(slice.pending().isEmpty() ? inbox : withoutPending(slice, reach));
        PulledAuthors pulled = register.pulled(authors::contains, covered, order, limit);
        addOutboxes(sources, pulled.authors(), pending(slice, authors), covered, limit);
        pulled.others().ifPresent(highest -> sources.add(new PostMerge.Source(List.of(), Optional.of(highest.next()))));
        return PostMerge.of(order, sources, limit);
    }

    /**
     * The inbox's posts without those of authors whose follow is pending. Retractions of such posts may not reach the
     * inbox, so the outboxes are read instead.
     */
    private static PostMerge.Source withoutPending(Slice slice, Position reach) {
        List<Post> posts = slice.posts().stream()
                .filter(post -> !slice.pending().contains(post.author()))
                .toList();
        return new PostMerge.Source(posts, Optional.of(reach));
    }

    /** The followees with pending follows: the inbox may hold none of their posts. */
    private static Set<String> pending(Slice slice, Set<String> followees) {
        if (slice.pending().isEmpty()) {
            return Set.of();
        }
        Set<String> authors = new HashSet<>(slice.pending());
        authors.retainAll(followees);
        return authors;
    }

    /**
     * Adds what the inbox may not hold: the unpushed posts of pulled authors, which are cached, and all posts of
     * pending ones. Pushed posts change no entry in the register, so a cache does not notice them.
     */
    private void addOutboxes(
            List<PostMerge.Source> sources, List<String> pulled, Set<String> pending, PositionRange range, int limit) {
        if (isFromInbox()) {
            addCached(sources, union(pulled, pending), range);
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
        List<RecentPosts> found = source.watch(() -> recentPosts.of(cached, register, outboxCalls));
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
    private void addCached(List<PostMerge.Source> sources, Set<String> authors, PositionRange range) {
        long updatedAt = registerCache.updatedAt();
        for (String author : authors) {
            recentPosts.heldAt(updatedAt, author, register).ifPresent(recent -> {
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
            posts = source.watch(() -> outbox.page(new PageQuery(authors, range, order, limit)));
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
    private Chunk visible(
            PostMerge.Run run, Set<String> authors, boolean hot, boolean belowFloor, Set<String> pending) {
        List<FeedEntry> entries = new ArrayList<>(run.found().size());
        Optional<Position> last = Optional.empty();
        Set<Post> left = hot ? left(run) : Set.of();
        for (PostMerge.Found found : run.found()) {
            Post post = found.post();
            boolean fromInbox = hot && found.source() == 0;
            boolean settled = fromInbox || register.isUnpushed(post);
            boolean due = settled || !hot || pending.contains(post.author());
            if (due
                    && !(fromInbox && left.contains(post))
                    && authors.contains(post.author())
                    && !register.isRetracting(post)
                    && shown.add(post.key())) {
                entries.add(new FeedEntry(post, fromInbox, !settled && !belowFloor && !isFromInbox()));
            }
        }
        int candidates = run.found().size();
        if (candidates > 0) {
            last = Optional.of(Position.of(run.found().get(candidates - 1).post()));
        }
        return new Chunk(entries, last, candidates);
    }

    /** The inbox's entries at places that their posts have left. */
    private Set<Post> left(PostMerge.Run run) {
        if (oldPlaces == OldPlaces.NONE || isFromInbox()) {
            return Set.of();
        }
        List<Post> entries = run.found().stream()
                .filter(found -> found.source() == 0)
                .map(PostMerge.Found::post)
                .toList();
        return source.watch(() -> oldPlaces.among(entries));
    }
}
