package io.feedkit.bench.scale.outage;

import io.feedkit.bench.HeapWatch;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.Walks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** One outage under load: before, during and after it, and a check of the feeds at the end. */
final class OutageRun {

    /**
     * The results.
     *
     * @param before before the outage
     * @param during while the inbox store is down
     * @param after from the store's return on
     * @param wrongFeeds the number of readers whose feeds differ from the oracle's at the end
     */
    record Seen(Phase before, Phase during, Phase after, int wrongFeeds) {}

    private static final long LOOK_MILLIS = 50;
    private static final long POST_MILLIS = 100;
    private static final long DELETE_MILLIS = 1000;
    private static final long FOLLOW_MILLIS = 500;
    private static final long LONGEST_MILLIS = 60_000;
    private static final int WRITERS = 4;

    private final OutageStores stores;
    private final History history;
    private final OutageLoad load;
    private final SettledPosts settled;
    private final AtomicBoolean stopped = new AtomicBoolean();

    OutageRun(OutageStores stores, History history, OutageLoad load) {
        this.stores = stores;
        this.history = history;
        this.load = load;
        settled = new SettledPosts(stores);
    }

    Seen of(InboxFault fault, Duration phase) {
        Phase before = new Phase(stores);
        PageReaders readers = new PageReaders(stores, history, settled, before);
        ExecutorService executor = Executors.newFixedThreadPool(PageReaders.THREADS + WRITERS);
        try {
            List<Future<?>> threads = begin(executor, readers);
            HeapWatch.pause(phase.toMillis());
            before.end();

            fault.begin().accept(stores.inboxServer());
            Phase during = next(readers);
            settled.down();
            HeapWatch.pause(phase.toMillis());
            settled.up();
            during.end();

            Phase after = next(readers);
            fault.end().accept(stores.inboxServer());
            HeapWatch.pause(phase.toMillis());
            after.end();

            stopped.set(true);
            for (Future<?> thread : threads) {
                thread.get();
            }
            return new Seen(before, during, after, wrongFeeds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed", e);
        } finally {
            stopped.set(true);
            executor.shutdown();
        }
    }

    private Phase next(PageReaders readers) {
        Phase next = new Phase(stores);
        readers.phase(next);
        return next;
    }

    private List<Future<?>> begin(ExecutorService executor, PageReaders readers) {
        List<Future<?>> threads = new ArrayList<>();
        settled.look();
        threads.add(executor.submit(() -> repeat(LOOK_MILLIS, settled::look)));
        threads.add(executor.submit(() -> repeat(FOLLOW_MILLIS, load::follow)));
        long[] deleted = {System.currentTimeMillis()};
        threads.add(executor.submit(() -> repeat(POST_MILLIS, () -> {
            load.publish();
            if (System.currentTimeMillis() - deleted[0] >= DELETE_MILLIS) {
                deleted[0] = System.currentTimeMillis();
                load.delete();
            }
        })));
        for (int i = 0; i < PageReaders.THREADS; i++) {
            threads.add(executor.submit(() -> {
                OutageLoad.reading();
                repeat(0, readers::visit);
            }));
        }
        return threads;
    }

    private void repeat(long pause, Runnable action) {
        while (!stopped.get()) {
            action.run();
            HeapWatch.pause(pause);
        }
    }

    /** Waits until all tasks are done, and compares all feeds. */
    private int wrongFeeds() {
        long begun = System.currentTimeMillis();
        while (!load.finish() || stores.settledMark() <= begun) {
            if (System.currentTimeMillis() - begun > LONGEST_MILLIS) {
                throw new IllegalStateException("fan-out must end, but the settled mark is " + stores.settledMark());
            }
            HeapWatch.pause(LOOK_MILLIS);
        }
        OracleFeed oracle = history.oracle();
        return (int) IntStream.range(0, OutageLoad.READERS)
                .mapToObj(OutageLoad::reader)
                .filter(reader -> !Walks.plain(stores.engine(), reader).equals(oracle.feed(reader)))
                .count();
    }
}
