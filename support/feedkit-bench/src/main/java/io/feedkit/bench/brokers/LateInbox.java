package io.feedkit.bench.brokers;

import io.feedkit.spi.Inbox;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reports each delivery as made, stores nothing, and counts. Thread-safe. */
final class LateInbox implements ForwardingInbox {

    private final Inbox others;
    private long lateNanos;
    private Deliveries deliveries = Deliveries.NONE;

    /**
     * The deliveries so far.
     *
     * @param readers how many times a post was delivered to a reader
     * @param firstMillis when the first call arrived
     * @param lastMillis when the last call was answered
     */
    record Deliveries(long readers, long firstMillis, long lastMillis) {
        static final Deliveries NONE = new Deliveries(0, Long.MAX_VALUE, Long.MIN_VALUE);

        Deliveries plus(Deliveries other) {
            return new Deliveries(
                    readers + other.readers,
                    Math.min(firstMillis, other.firstMillis),
                    Math.max(lastMillis, other.lastMillis));
        }
    }

    /** An inbox that answers at once, and passes all calls but deliveries to another one. */
    LateInbox(Inbox others) {
        this.others = others;
    }

    @Override
    public Inbox delegate() {
        return others;
    }

    /** Resets the counts, and answers late from now on. */
    synchronized void begin(long lateMillis) {
        lateNanos = TimeUnit.MILLISECONDS.toNanos(lateMillis);
        deliveries = Deliveries.NONE;
    }

    synchronized Deliveries deliveries() {
        return deliveries;
    }

    private synchronized long lateNanos() {
        return lateNanos;
    }

    private synchronized void add(Deliveries made) {
        deliveries = deliveries.plus(made);
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> posts) {
        long begun = System.currentTimeMillis();
        long end = System.nanoTime() + lateNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        List<List<Outcome>> outcomes = posts.stream()
                .map(post -> Collections.nCopies(post.readers().size(), Outcome.ADDED))
                .toList();
        long readers = posts.stream().mapToLong(post -> post.readers().size()).sum();
        add(new Deliveries(readers, begun, System.currentTimeMillis()));
        return outcomes;
    }
}
