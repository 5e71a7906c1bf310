package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.StoreUnavailableException;
import io.feedkit.Unread;
import io.feedkit.event.FeedRead;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.internal.cache.PostVisibility;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.presence.SeenReaders;
import io.feedkit.internal.view.FeedView;
import io.feedkit.internal.view.FeedViews;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.internal.view.Walk;
import io.feedkit.internal.view.Walk.Freshness;
import io.feedkit.spi.SeenPosts;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The read path. It scans the feed from the beginning of the page, and leaves out posts that the host hides or has no
 * content for. It continues until the page is full or a bound is reached. Thread-safe.
 */
public final class FeedReader {

    private final EngineSettings settings;
    private final FeedViews views;
    private final SourceOfTruth source;
    private final PostVisibility visibility;
    private final SeenReaders seen;
    private final GuardedListener listener;

    public FeedReader(
            EngineSettings settings,
            FeedViews views,
            SourceOfTruth source,
            PostVisibility visibility,
            SeenReaders seen,
            GuardedListener listener) {
        this.settings = settings;
        this.views = views;
        this.source = source;
        this.visibility = visibility;
        this.seen = seen;
        this.listener = listener;
    }

    /** Reads a page of a reader's feed, without the posts in {@code before}. */
    public ReadPage<Post> read(Walk walk, int limit, SeenPosts before) {
        return observed(walk, limit, before, Content.posts());
    }

    /** Reads a page of a reader's feed. A page that is not stale respects every delete that has returned. */
    public ReadPage<Post> readLatest(Walk walk, int limit) {
        return observed(walk.with(Freshness.LATEST), limit, SeenPosts.NOTHING, Content.posts());
    }

    /**
     * Reads a page of a reader's feed with the host's content. A page that is not stale respects every delete that has
     * returned.
     */
    public <T> ReadPage<T> read(Walk walk, int limit, SeenPosts before, PostLoader<T> loader) {
        return observed(walk.with(Freshness.LATEST), limit, before, Content.loadedBy(loader));
    }

    private <T> ReadPage<T> observed(Walk walk, int limit, SeenPosts before, Content<T> content) {
        return listener.observe(Kind.READ, limit, () -> page(walk, limit, before, content));
    }

    private <T> ReadPage<T> page(Walk walk, int limit, SeenPosts before, Content<T> content) {
        if (!walk.authors().followees()) {
            return list(walk, limit, before, content);
        }
        if (walk.visit()) {
            seen.read(walk.reader());
        }
        Supplier<ReadPage<T>> page = () -> {
            if (settings.fanout().workers() == 0) {
                visibility.lookIfDue();
            }
            return fill(walk, limit, before, content);
        };
        try {
            ReadPage<T> fresh = settings.reading().staleIfError().isZero() ? page.get() : source.ask(page);
            return fresh != null ? fresh : fill(walk.with(Freshness.CACHED), limit, before, content);
        } catch (HostFailure e) {
            throw e.failure;
        } catch (StoreUnavailableException e) {
            source.lastFailure().filter(failure -> failure != e).ifPresent(e::addSuppressed);
            throw e;
        }
    }

    /**
     * Reads posts of authors whom the reader need not follow. This is not a visit, and it needs the source of truth.
     */
    private <T> ReadPage<T> list(Walk walk, int limit, SeenPosts before, Content<T> content) {
        try {
            return fill(walk, others(walk), limit, before, content);
        } catch (HostFailure e) {
            throw e.failure;
        }
    }

    /** The host's filter or loader could not reach a store. That does not concern the source of truth. */
    private static final class HostFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final StoreUnavailableException failure;

        HostFailure(StoreUnavailableException failure) {
            super(failure);
            this.failure = failure;
        }
    }

    private <T> ReadPage<T> fill(Walk walk, int limit, SeenPosts before, Content<T> content) {
        Scan followees = new FeedScan(views, source, walk);
        boolean areOthersRead = !walk.authors().others().isEmpty() && !walk.isCached();
        Scan scan = areOthersRead ? new MergedScan(followees, others(walk), walk.order()) : followees;
        return fill(walk, scan, limit, before, content);
    }

    private Scan others(Walk walk) {
        return new OutboxScan(source::page, walk.authors().others(), walk.range(), walk.order(), true);
    }

    private <T> ReadPage<T> fill(Walk walk, Scan walked, int limit, SeenPosts before, Content<T> content) {
        long start = System.nanoTime();
        PageFiller<T> page =
                new PageFiller<>(limit, before.size(), settings.reading().maxScannedPerPage());
        try (Scan scan = walked) {
            Content<T> loaded = entries -> ofHost(() -> content.of(entries));
            while (page.wantsMore(scan, loaded)) {
                Scan.Chunk chunk = scan.next(page.chunk());
                List<FeedEntry> fresh = FeedEntry.without(before, chunk.entries());
                List<FeedEntry> shown = ofHost(() -> visible(walk.reader(), fresh));
                page.add(chunk, shown);
                if (shown.size() < fresh.size()) {
                    page.hides();
                }
            }
            if (scan.isCutOff() && page.shown().isEmpty()) {
                throw SourceOfTruth.isDown();
            }
            ensureVisible(early(page.shown()));
            reportRead(walk.reader(), page.shown(), scan, start);
            return page.page(walk.order(), scan);
        }
    }

    private void ensureVisible(List<Post> early) {
        if (!early.isEmpty()) {
            source.watch(() -> {
                visibility.ensure(early);
                return early;
            });
        }
    }

    private static List<Post> early(List<? extends Content.Item<?>> shown) {
        return shown.stream()
                .filter(item -> item.entry().early())
                .map(item -> item.entry().post())
                .toList();
    }

    /** Calls the host's filter or loader. */
    private static <R> R ofHost(Supplier<R> call) {
        try {
            return call.get();
        } catch (StoreUnavailableException e) {
            throw new HostFailure(e);
        }
    }

    /**
     * Counts the posts of others that a reader has not seen, up to a cap, by reading. Counting is not a visit: it
     * neither builds an inbox nor keeps one live.
     *
     * @param withoutInbox whether the inbox store has just failed to answer, so that it is not asked. The caller has a
     *     {@link FeedViews#permit permit} for that
     */
    public Unread count(String reader, SeenPosts seen, int cap, boolean withoutInbox) {
        Walk walk = Walk.count(reader, seen.rest());
        FeedView begun = withoutInbox ? views.openWithoutInbox(walk) : null;
        try (Scan scan = new FeedScan(views, source, walk, begun)) {
            return count(scan, reader, seen, cap);
        }
    }

    private Unread count(Scan scan, String reader, SeenPosts seen, int cap) {
        int chunk = Math.min(PageFiller.MAX_CHUNK, cap + 1);
        long count = 0;
        int scanned = 0;
        while (true) {
            Scan.Chunk part = scan.next(chunk);
            count += visible(reader, FeedEntry.without(seen, part.entries())).stream()
                    .filter(entry -> !entry.post().author().equals(reader))
                    .count();
            scanned += part.candidates();
            boolean atEnd = scan.atEnd();
            if (atEnd
                    || count > cap
                    || scanned > (long) cap + seen.size() + settings.reading().maxScannedPerPage()) {
                return new Unread(Math.min(count, cap), !atEnd || count > cap);
            }
            chunk = Math.min(PageFiller.MAX_CHUNK, chunk * 2);
        }
    }

    private List<FeedEntry> visible(String reader, List<FeedEntry> entries) {
        return Content.visible(settings.reading().filter(), reader, entries);
    }

    private void reportRead(String reader, List<? extends Content.Item<?>> shown, Scan scan, long start) {
        if (!listener.hasListener()) {
            return;
        }
        int fromInbox =
                (int) shown.stream().filter(item -> item.entry().fromInbox()).count();
        FeedRead event = FeedRead.builder(reader)
                .fromInbox(fromInbox)
                .fromOutboxes(shown.size() - fromInbox)
                .outboxCalls(scan.outboxCalls())
                .took(Duration.ofNanos(System.nanoTime() - start))
                .build();
        listener.notify(each -> each.read(event));
    }
}
