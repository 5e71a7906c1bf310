package io.feedkit;

import io.feedkit.spi.PresenceStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A presence store as one engine sees it: it counts calls and readers, and may be down, hang, or be cut off, as if the
 * engine's process were dead.
 */
public class ProbedPresence implements PresenceStore {

    private final PresenceStore store;
    private final AtomicInteger reports = new AtomicInteger();
    private final AtomicInteger reported = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicReference<CountDownLatch> hanging = new AtomicReference<>(new CountDownLatch(0));
    private volatile boolean down;

    public ProbedPresence(PresenceStore store) {
        this.store = store;
    }

    /** Every call fails from now on, as if the store could not be reached, or the calling engine were dead. */
    public void goDown() {
        down = true;
    }

    public void comeBack() {
        down = false;
    }

    /** Every call hangs until {@link #answer}. */
    public void hang() {
        hanging.set(new CountDownLatch(1));
    }

    public void answer() {
        hanging.get().countDown();
    }

    /** How many calls of {@code report} there were. */
    public int reports() {
        return reports.get();
    }

    /** How many sightings there were in them. */
    public int reported() {
        return reported.get();
    }

    /** How many calls of all other methods there were. */
    public int questions() {
        return questions.get();
    }

    private void meet(String call) {
        try {
            hanging.get().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (down) {
            throw new StoreUnavailableException("presence." + call, null);
        }
    }

    @Override
    public void report(List<Sighting> sightings, long keptMillis) {
        reports.incrementAndGet();
        meet("report");
        reported.addAndGet(sightings.size());
        store.report(sightings, keptMillis);
    }

    @Override
    public List<Status> status(List<String> readers) {
        questions.incrementAndGet();
        meet("status");
        return store.status(readers);
    }

    @Override
    public long countOnline() {
        questions.incrementAndGet();
        meet("countOnline");
        return store.countOnline();
    }

    @Override
    public OnlinePage online(Seen below, int limit) {
        questions.incrementAndGet();
        meet("online");
        return store.online(below, limit);
    }

    @Override
    public void forget(Collection<String> readers) {
        questions.incrementAndGet();
        meet("forget");
        store.forget(readers);
    }
}
