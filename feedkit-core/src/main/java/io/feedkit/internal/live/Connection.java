package io.feedkit.internal.live;

import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.Inbox.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A reader who is connected to this engine, by any number of subscriptions and waiting calls. Its version changes with
 * every signal about the reader's feed; an answer that was computed at a version is right as long as it lasts.
 * Thread-safe.
 */
final class Connection {

    private static final Followers[] NOBODY = {};

    private final String reader;
    private final Runnable onLeave;
    private final List<LiveSubscription> subscriptions = new CopyOnWriteArrayList<>();
    private final AtomicLong version = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    /** How often the reader is connected. Guarded by the index. */
    private int handles;

    private volatile Followers[] followees = NOBODY;
    private volatile boolean indexed;

    /** The count of graph changes that the followees include. */
    private volatile long indexedChanges;

    /** Held while the followees change. */
    private final ReentrantLock indexing = new ReentrantLock();

    /** Counts the changes of the follow graph that this engine made or heard of. */
    private final AtomicLong graphChanges = new AtomicLong();

    /** What the last poll of the store found. Used by the polling thread. */
    private @Nullable Slice polled;

    private volatile long polledAt = Long.MIN_VALUE;

    /** The latest answers that can be given again. Guarded by the lock. */
    private final Answers answers = new Answers();

    /**
     * @param onLeave is called when the reader is no longer connected
     */
    Connection(String reader, Runnable onLeave) {
        this.reader = reader;
        this.onLeave = onLeave;
    }

    String reader() {
        return reader;
    }

    /** Counts one more handle; used inside the index. */
    void retain() {
        handles++;
    }

    /** Counts one handle less, and returns whether none is left; used inside the index. */
    boolean release() {
        handles--;
        return handles == 0;
    }

    /** Reports that the last handle was given back. */
    void left() {
        onLeave.run();
    }

    List<LiveSubscription> subscriptions() {
        return subscriptions;
    }

    void add(LiveSubscription subscription) {
        subscriptions.add(subscription);
    }

    void remove(LiveSubscription subscription) {
        subscriptions.remove(subscription);
    }

    /** Whether the index knows the reader's followees. */
    boolean isIndexed() {
        return indexed;
    }

    void markIndexed() {
        indexed = true;
    }

    /** Whether the index knows the reader's followees, and none of them are being loaded again. */
    boolean isCurrent() {
        return indexed && indexedChanges == graphChanges.get();
    }

    Followers[] followees() {
        return followees;
    }

    ReentrantLock indexing() {
        return indexing;
    }

    long graphChanges() {
        return graphChanges.get();
    }

    void countGraphChange() {
        graphChanges.incrementAndGet();
    }

    /** Replaces the followees; called by the index, under the lock. */
    void followees(Followers[] others) {
        followees = others;
    }

    /** Records that the followees were loaded at a count of graph changes; called by the index, under the lock. */
    void loadedAt(long changes) {
        indexedChanges = changes;
    }

    boolean follows(String author) {
        for (Followers each : followees) {
            if (each.author().equals(author)) {
                return true;
            }
        }
        return false;
    }

    long version() {
        return version.get();
    }

    /** Passes a signal on to the subscriptions. */
    void offer(Signal signal) {
        subscriptions.forEach(subscription -> subscription.offer(signal));
        change();
    }

    /** Lets the subscriptions read the feed, because a signal does not say which posts are new. */
    void readAgain(boolean lost) {
        subscriptions.forEach(subscription -> subscription.readAgain(lost));
        change();
    }

    /** Lets the subscriptions read the feed from their cursors, because a poll does not return all new posts. */
    void readOn() {
        subscriptions.forEach(LiveSubscription::readOn);
        change();
    }

    /** Tells the subscriptions that the followees changed. */
    void feedChanged() {
        subscriptions.forEach(LiveSubscription::feedChanged);
        change();
    }

    /** Gives the connection a new version, and wakes the calls that wait for one. */
    void change() {
        version.incrementAndGet();
        if (waiting.get() > 0) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until the version differs, or for at most {@code nanos}. Returns whether it differs. */
    boolean awaitChange(long known, long nanos) throws InterruptedException {
        long left = nanos;
        // Counted before the version is compared: a change after the comparison sees the count, and waits for the lock.
        waiting.incrementAndGet();
        lock.lock();
        try {
            while (version.get() == known && left > 0) {
                left = changed.awaitNanos(left);
            }
            return version.get() != known;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    @Nullable
    Slice polled() {
        return polled;
    }

    long polledAt() {
        return polledAt;
    }

    void polled(Slice slice, long now) {
        polled = slice;
        polledAt = now;
    }

    <T> @Nullable T answer(Object question, long now, Class<T> type) {
        lock.lock();
        try {
            return answers.find(question, version.get(), now, type);
        } finally {
            lock.unlock();
        }
    }

    void keep(Object question, Object answer, long versionBefore, long now) {
        lock.lock();
        try {
            answers.keep(question, answer, versionBefore, now);
        } finally {
            lock.unlock();
        }
    }

    /** The ids of the followees. */
    Set<String> followeeIds() {
        List<String> ids = new ArrayList<>();
        for (Followers each : followees) {
            ids.add(each.author());
        }
        return Set.copyOf(ids);
    }
}
