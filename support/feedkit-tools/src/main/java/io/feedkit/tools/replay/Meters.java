package io.feedkit.tools.replay;

import io.feedkit.event.ArchiveStep;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts the engine's events. Thread-safe. */
final class Meters implements FeedListener {

    private final LongAdder posts = new LongAdder();
    private final LongAdder pulledPosts = new LongAdder();
    private final LongAdder deliveries = new LongAdder();
    private final LongAdder fromInboxes = new LongAdder();
    private final LongAdder fromOutboxes = new LongAdder();
    private final LongAdder outboxCalls = new LongAdder();
    private final LongAdder archivedPosts = new LongAdder();
    private final LongAdder filledFromCopies = new LongAdder();
    private final ConcurrentHistogram readNanos = new ConcurrentHistogram(3);

    @Override
    public void published(PostPublished event) {
        posts.increment();
        if (event.mode() != FanoutMode.PUSH) {
            pulledPosts.increment();
        }
    }

    @Override
    public void delivered(PostDelivered event) {
        deliveries.add(event.readers().size());
    }

    @Override
    public void read(FeedRead event) {
        fromInboxes.add(event.fromInbox());
        fromOutboxes.add(event.fromOutboxes());
        outboxCalls.add(event.outboxCalls());
        readNanos.recordValue(event.took().toNanos());
    }

    @Override
    public void archived(ArchiveStep event) {
        archivedPosts.add(event.moved());
    }

    @Override
    public void rebuilt(InboxRebuilt event) {
        if (event.fromCopy()) {
            filledFromCopies.increment();
        }
    }

    /** Resets the figures of reads. No read may be running. */
    void restartReads() {
        fromInboxes.reset();
        fromOutboxes.reset();
        outboxCalls.reset();
        readNanos.reset();
    }

    long posts() {
        return posts.sum();
    }

    long pulledPosts() {
        return pulledPosts.sum();
    }

    long deliveries() {
        return deliveries.sum();
    }

    long fromInboxes() {
        return fromInboxes.sum();
    }

    long fromOutboxes() {
        return fromOutboxes.sum();
    }

    long outboxCalls() {
        return outboxCalls.sum();
    }

    long archivedPosts() {
        return archivedPosts.sum();
    }

    long filledFromCopies() {
        return filledFromCopies.sum();
    }

    Histogram readNanos() {
        return readNanos;
    }
}
