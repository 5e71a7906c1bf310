package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.StoreUnavailableException;
import io.feedkit.Unread;
import io.feedkit.event.FeedRead;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.internal.read.Walk.Sources;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The read path. It scans the feed from the beginning of the page, and leaves out posts that the host hides or has no
 * content for. It goes on until the page is full or a bound is reached. Thread-safe.
 */
public final class FeedReader {

    private final EngineSettings settings;
    private final CircuitBreaker source;
    private final LiveInboxes inboxes;
    private final InboxBreaker breaker;
    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final RecentPostsCache recentPosts;
    private final FolloweeCache followeeCache;
    private final OwnPostDelivery ownPosts;
    private final GuardedListener listener;

    public FeedReader(
            EngineSettings settings,
            LiveInboxes inboxes,
            InboxBreaker breaker,
            Outbox outbox,
            RegisterCache registerCache,
            RecentPostsCache recentPosts,
            FolloweeCache followeeCache,
            OwnPostDelivery ownPosts,
            GuardedListener listener) {
        this.settings = settings;
        this.source = new CircuitBreaker(
                settings,
                "the source of truth is down, and pages are served from inboxes and from the engine's caches");
        this.inboxes = inboxes;
        this.breaker = breaker;
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.recentPosts = recentPosts;
        this.followeeCache = followeeCache;
        this.ownPosts = ownPosts;
        this.listener = listener;
    }

    /** Reads a page of a reader's feed, without the posts in {@code before}. */
    public ReadPage<Post> read(String reader, PositionRange range, Order order, int limit, ShownPosts before) {
        return read(reader, range, order, limit, before, Content.posts(), registerCache::current);
    }

    /**
     * Reads a page of a reader's feed with the host's content. A page that is not stale respects every delete that has
     * returned.
     */
    public <T> ReadPage<T> read(
            String reader, PositionRange range, Order order, int limit, ShownPosts before, PostLoader<T> loader) {
        return read(reader, range, order, limit, before, Content.loadedBy(loader), registerCache::latest);
    }

    private <T> ReadPage<T> read(
            String reader,
            PositionRange range,
            Order order,
            int limit,
            ShownPosts before,
            Content<T> content,
            Function<FolloweeSet, RegisterView> register) {
        ownPosts.deliver(reader);
        FolloweeSet followees = remembered(reader);
        Walk walk = new Walk(reader, range, order, true, Sources.ALL);
        Supplier<ReadPage<T>> page = () -> fill(walk, register.apply(followees), limit, before, content);
        Duration most = settings.staleIfError();
        try {
            ReadPage<T> fresh = most.isZero() ? page.get() : source.ask(page);
            if (fresh != null) {
                return fresh;
            }
            RegisterView known = registerCache.known(followees, most).orElseThrow(FeedScan::sourceIsDown);
            return fill(new Walk(reader, range, order, true, Sources.INBOX), known, limit, before, content);
        } catch (HostFailure e) {
            throw e.failure;
        } catch (StoreUnavailableException e) {
            source.lastFailure().filter(failure -> failure != e).ifPresent(e::addSuppressed);
            throw e;
        }
    }

    /** A store of the host's that its filter or loader could not reach. It says nothing about the source of truth. */
    private static final class HostFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final StoreUnavailableException failure;

        HostFailure(StoreUnavailableException failure) {
            super(failure);
            this.failure = failure;
        }
    }

    private <T> ReadPage<T> fill(Walk walk, RegisterView register, int limit, ShownPosts before, Content<T> content) {
        long start = System.nanoTime();
        PageFiller<T> page = new PageFiller<>(limit, before.size(), settings.maxScannedPerPage());
        try (FeedScan scan = scan(walk, register)) {
            while (page.wantsMore(scan)) {
                FeedScan.Chunk chunk = scan.next(page.chunk());
                show(page, chunk, walk.reader(), before, content);
            }
            if (scan.isCutOff() && page.shown().isEmpty()) {
                throw FeedScan.sourceIsDown();
            }
            tell(walk.reader(), page.shown(), scan, start);
            return page.page(walk.order(), scan);
        }
    }

    /** Adds the posts of a chunk that the host's filter and loader let through. */
    private <T> void show(
            PageFiller<T> page, FeedScan.Chunk chunk, String reader, ShownPosts before, Content<T> content) {
        try {
            page.add(chunk, visible(reader, without(before, chunk.entries())), content);
        } catch (StoreUnavailableException e) {
            throw new HostFailure(e);
        }
    }

    /**
     * Counts the posts of others from a position upwards, up to a cap, by reading. Counting is not a visit: it neither
     * builds an inbox nor keeps one live.
     *
     * @param withoutInbox whether the inbox store is known to be down, and the caller has a permit to read without it
     */
    public Unread count(String reader, Position from, int cap, boolean withoutInbox) {
        Sources sources = withoutInbox ? Sources.OUTBOXES : Sources.ALL;
        Walk walk = new Walk(reader, PositionRange.from(from), Order.NEWEST_FIRST, false, sources);
        try (FeedScan scan = scan(walk, registerCache.current(remembered(reader)))) {
            return count(scan, reader, cap);
        }
    }

    private Unread count(FeedScan scan, String reader, int cap) {
        int chunk = Math.min(PageFiller.MAX_CHUNK, cap + 1);
        long count = 0;
        int scanned = 0;
        while (true) {
            FeedScan.Chunk part = scan.next(chunk);
            count += visible(reader, part.entries()).stream()
                    .filter(entry -> !entry.post().author().equals(reader))
                    .count();
            scanned += part.candidates();
            boolean atEnd = scan.atEnd();
            if (atEnd || count > cap || scanned > (long) cap + settings.maxScannedPerPage()) {
                return new Unread(Math.min(count, cap), !atEnd || count > cap);
            }
            chunk = Math.min(PageFiller.MAX_CHUNK, chunk * 2);
        }
    }

    private FolloweeSet remembered(String reader) {
        return followeeCache.remembered(reader);
    }

    private FeedScan scan(Walk walk, RegisterView register) {
        return new FeedScan(inboxes, breaker, outbox, registerCache, recentPosts, followeeCache, walk, register);
    }

    private List<FeedEntry> visible(String reader, List<FeedEntry> entries) {
        return Content.visible(settings.filter(), reader, entries);
    }

    private static List<FeedEntry> without(ShownPosts before, List<FeedEntry> entries) {
        return before.size() == 0
                ? entries
                : entries.stream()
                        .filter(entry -> !before.contains(entry.post()))
                        .toList();
    }

    private void tell(String reader, List<? extends Content.Item<?>> shown, FeedScan scan, long start) {
        if (!listener.wanted()) {
            return;
        }
        int fromInbox =
                (int) shown.stream().filter(item -> item.entry().fromInbox()).count();
        FeedRead event = new FeedRead(
                reader,
                fromInbox,
                shown.size() - fromInbox,
                scan.outboxCalls(),
                Duration.ofNanos(System.nanoTime() - start));
        listener.tell(each -> each.read(event));
    }
}
