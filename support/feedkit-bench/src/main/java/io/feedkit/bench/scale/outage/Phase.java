package io.feedkit.bench.scale.outage;

import io.feedkit.FeedKitException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The outcomes and costs of the pages that were due in one phase. Thread-safe. */
final class Phase {

    private static final long AT_ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double NANOS_A_MILLI = 1e6;
    private static final double NANOS_A_SECOND = 1e9;
    private static final double PERCENT = 100;

    private final OutageStores stores;
    private final Histogram answered = new ConcurrentHistogram(3);
    private final AtomicInteger refusedAtOnce = new AtomicInteger();
    private final AtomicInteger refusedLate = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private final long start = System.nanoTime();
    private final double callsBefore;
    private final double cpuBefore;
    private double calls;
    private double cpu;

    Phase(OutageStores stores) {
        this.stores = stores;
        callsBefore = stores.calls();
        cpuBefore = stores.cpuSeconds();
    }

    void end() {
        calls = stores.calls() - callsBefore;
        cpu = PERCENT * (stores.cpuSeconds() - cpuBefore) * NANOS_A_SECOND / (System.nanoTime() - start);
    }

    void answered(long nanosSinceDue) {
        answered.recordValue(nanosSinceDue);
    }

    /** Records a page that failed with a typed exception. */
    void refused(FeedKitException failure, long nanos) {
        if (!failure.isRetryable()) {
            throw failure;
        }
        (nanos <= AT_ONCE_NANOS ? refusedAtOnce : refusedLate).incrementAndGet();
    }

    void wrong() {
        wrong.incrementAndGet();
    }

    double pages() {
        return Math.max(1, answered.getTotalCount() + refusedAtOnce() + refusedLate());
    }

    double pagesAnswered() {
        return answered.getTotalCount();
    }

    int refusedAtOnce() {
        return refusedAtOnce.get();
    }

    int refusedLate() {
        return refusedLate.get();
    }

    int wrongPages() {
        return wrong.get();
    }

    /** The time that pages took since they were due, in milliseconds. */
    double millis(double percentile) {
        return answered.getValueAtPercentile(percentile) / NANOS_A_MILLI;
    }

    /** Calls of pages to the database, for each page that was answered. */
    double callsAPage() {
        return calls / Math.max(1, pagesAnswered());
    }

    /** The processor time of the database, in % of a core, writes included. */
    double cpu() {
        return cpu;
    }
}
