package io.feedkit.bench.scale.outage;

import io.feedkit.Cursor;
import io.feedkit.FeedKitException;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.scale.outage.History.ShownPage;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that read pages at a steady pace, however long each takes, and compare them with the history. Every fourth
 * visit also reads a second page.
 */
final class PageReaders {

    static final int THREADS = 64;

    private static final int PAGES_A_SECOND = 100;
    private static final int PAGE = 20;
    private static final int VISITS_A_SECOND_PAGE = 4;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / PAGES_A_SECOND;
    private static final int MOST_TOLD = 10;

    private final OutageStores stores;
    private final History history;
    private final SettledPosts settled;
    private final AtomicLong next = new AtomicLong();
    private final long start = System.nanoTime();
    private final AtomicLong told = new AtomicLong();
    private volatile Phase phase;

    PageReaders(OutageStores stores, History history, SettledPosts settled, Phase phase) {
        this.stores = stores;
        this.history = history;
        this.settled = settled;
        this.phase = phase;
    }

    void phase(Phase now) {
        phase = now;
    }

    /** Reads the next page that is due. */
    void visit() {
        long number = next.getAndIncrement();
        long due = start + number * PERIOD_NANOS;
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
        Phase now = phase;
        String reader = OutageLoad.reader(new SplittableRandom(number).nextInt(OutageLoad.READERS));
        Optional<FeedPage<Post>> first = page(now, reader, PageRequest.first(PAGE), Optional.empty(), due);
        if (number % VISITS_A_SECOND_PAGE == 0) {
            first.filter(page -> !page.items().isEmpty()).ifPresent(page -> {
                Optional<Cursor> older = page.older();
                older.ifPresent(cursor ->
                        page(now, reader, PageRequest.older(cursor, PAGE), Optional.of(last(page)), System.nanoTime()));
            });
        }
    }

    private Optional<FeedPage<Post>> page(
            Phase now, String reader, PageRequest request, Optional<Post> below, long due) {
        SettledPosts.Bound bound = settled.bound();
        long from = System.currentTimeMillis();
        long begun = System.nanoTime();
        try {
            FeedPage<Post> page = stores.engine().read(reader, request);
            now.answered(System.nanoTime() - due);
            check(
                    now,
                    new ShownPage(
                            reader,
                            page.items(),
                            below,
                            page.older().isEmpty(),
                            from,
                            System.currentTimeMillis(),
                            settled.asOf(bound, from)));
            return Optional.of(page);
        } catch (FeedKitException e) {
            now.refused(e, System.nanoTime() - begun);
            return Optional.empty();
        }
    }

    private void check(Phase now, ShownPage page) {
        history.wrong(page).ifPresent(what -> {
            now.wrong();
            if (told.incrementAndGet() <= MOST_TOLD) {
                System.err.println("wrong page: " + what + "; " + page.text());
            }
        });
    }

    private static Post last(FeedPage<Post> page) {
        List<Post> items = page.items();
        return items.get(items.size() - 1);
    }
}
