package io.feedkit.bench.production;

import io.feedkit.event.ArchiveStep;
import io.feedkit.event.FeedListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts the posts that move to an archive. Thread-safe. */
final class MovedPosts implements FeedListener {

    private static final double NANOS_A_SECOND = 1e9;

    private final CountDownLatch begun = new CountDownLatch(1);
    private long begin;
    private long firstEnd;
    private long lastEnd;
    private long firstMoved;
    private long moved;

    @Override
    public synchronized void archived(ArchiveStep event) {
        if (event.failure().isPresent()) {
            throw new IllegalStateException(
                    "posts must move, but " + event.failure().get());
        }
        lastEnd = System.nanoTime();
        moved += event.moved();
        if (firstMoved == 0) {
            begin = lastEnd - event.took().toNanos();
            firstEnd = lastEnd;
            firstMoved = moved;
        }
        begun.countDown();
    }

    /** Waits until the first posts have moved. */
    void awaitFirst() {
        try {
            if (!begun.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("no post moved to the archive in a minute");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Posts a second, from the end of the first step to the end of the last one. */
    synchronized double perSecond() {
        return moved > firstMoved
                ? (moved - firstMoved) * NANOS_A_SECOND / (lastEnd - firstEnd)
                : moved * NANOS_A_SECOND / Math.max(1, lastEnd - begin);
    }
}
