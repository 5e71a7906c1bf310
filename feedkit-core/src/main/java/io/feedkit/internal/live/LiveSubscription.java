package io.feedkit.internal.live;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.signal.Signal.By;
import io.feedkit.internal.signal.Signal.Deleted;
import io.feedkit.internal.signal.Signal.Visible;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber of a live feed. Signals are queued, up to a bound, and turned into events one after the other on a
 * thread of the executor, as far as the subscriber requests events. When the queue is full, or a signal does not say
 * which posts are new, the subscription reads the feed from its cursor, as a page does. So a subscriber that requests
 * nothing costs a cursor and a bounded queue, and loses no post. Thread-safe.
 */
final class LiveSubscription implements Flow.Subscription {

    private static final Logger log = LoggerFactory.getLogger(LiveSubscription.class);

    /** The most posts read at a time. */
    private static final int PAGE = 100;

    /** After how many events the subscription gives way to others. */
    private static final int TURN = 64;

    /** After how long the rest of a page is read again, because posts may have been hidden meanwhile. */
    private static final long LONGEST_PAGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a signal may wait for a request. A post that waits longer may be deleted, and its delete forgotten. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** One or more turns on a thread: an executor that runs calls at once begins a turn within another one. */
    private static final class Run {
        private final Thread thread;
        private boolean again;

        Run(Thread thread) {
            this.thread = thread;
        }
    }

    private final LiveFeeds feeds;
    private final Connection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger turns = new AtomicInteger();

    /** Whether the executor refused the latest turn, so that no turn is due or running. */
    private final AtomicBoolean refused = new AtomicBoolean();

    /** The current run, or null. */
    private final AtomicReference<@Nullable Run> current = new AtomicReference<>();

    /** The time of the subscription. */
    private final long begin;

    /** Null when the subscription has ended. */
    private final AtomicReference<Flow.@Nullable Subscriber<? super LiveEvent>> subscriber;

    /** The posts that were delivered, and those that the subscriber had before. Used by the turn. */
    private @Nullable SeenPosts seen;

    private final RecentPosts delivered = new RecentPosts();

    /** The posts that the subscriber had at the beginning. Used by the turn. */
    private @Nullable SeenPosts had;

    /**
     * What a read of several pages has covered; null between reads. A read begins below the posts that the cursor
     * lists, because a post that became visible late may lie there. Used by the turn.
     */
    private @Nullable SeenPosts reading;

    // Guarded by the lock.
    private final Deque<Signal> queue = new ArrayDeque<>(1);
    private long queuedSince;
    private long requested;
    private boolean begun;
    private boolean connected;
    private boolean readDue = true;

    /** Whether the next read is to find posts below those that the cursor lists. */
    private boolean deepDue;

    private boolean lost;
    private boolean changed;
    private boolean ending;
    private @Nullable Throwable failure;

    LiveSubscription(
            LiveFeeds feeds,
            Connection connection,
            Flow.Subscriber<? super LiveEvent> subscriber,
            Optional<SeenPosts> since) {
        this.feeds = feeds;
        this.connection = connection;
        this.subscriber = new AtomicReference<>(subscriber);
        this.seen = since.orElse(null);
        this.had = seen;
        this.begin = feeds.now();
    }

    @Override
    public void request(long count) {
        lock.lock();
        try {
            if (count <= 0) {
                failure = new IllegalArgumentException("count must be at least 1, but is " + count);
            } else {
                requested = requested + count < 0 ? Long.MAX_VALUE : requested + count;
            }
        } finally {
            lock.unlock();
        }
        schedule();
    }

    @Override
    public void cancel() {
        if (subscriber.getAndSet(null) != null) {
            feeds.disconnect(this, connection);
        }
    }

    boolean isCancelled() {
        return subscriber.get() == null;
    }

    /** The subscriber has the subscription: other calls may follow. */
    void begin() {
        lock.lock();
        try {
            begun = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    /** The index has the reader's followees: signals arrive from now on, so the feed may be read. */
    void connected() {
        lock.lock();
        try {
            connected = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    /** Ends the subscription after the events that were requested. */
    void end() {
        lock.lock();
        try {
            ending = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    /** Ends the subscription with a failure. */
    void fail(Throwable cause) {
        lock.lock();
        try {
            failure = failure == null ? cause : failure;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    void offer(Signal signal) {
        lock.lock();
        try {
            if (queue.isEmpty()) {
                queuedSince = System.nanoTime();
            }
            queue.add(signal);
            if (queue.size() > feeds.bufferSize()) {
                readInstead();
            }
        } finally {
            lock.unlock();
        }
        schedule();
    }

    /** Drops the queue: the posts are found by reading. */
    private void readInstead() {
        queue.clear();
        readDue = true;
        deepDue = true;
        lost = true;
    }

    /**
     * Reads the feed at the next turn, also below the posts that the cursor lists.
     *
     * @param mayLack whether events may have been lost
     */
    void readAgain(boolean mayLack) {
        lock.lock();
        try {
            readDue = true;
            deepDue = true;
            lost |= mayLack;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    /** Reads the feed from its cursor at the next turn. */
    void readOn() {
        lock.lock();
        try {
            readDue = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    void feedChanged() {
        lock.lock();
        try {
            changed = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    private void schedule() {
        if (turns.getAndIncrement() == 0) {
            feeds.execute(this);
        }
    }

    /** Takes a turn: delivers what is requested. Called by one thread at a time. */
    void run() {
        Run outer = current.get();
        if (outer != null && outer.thread == Thread.currentThread()) {
            outer.again = true;
            return;
        }
        Run run = new Run(Thread.currentThread());
        current.set(run);
        do {
            run.again = false;
            turn();
        } while (run.again);
        current.compareAndSet(run, null);
    }

    private void turn() {
        int asked = turns.get();
        int left = TURN;
        while (left > 0 && step()) {
            left--;
        }
        if (left == 0) {
            feeds.execute(this);
        } else if (turns.addAndGet(-asked) > 0) {
            feeds.execute(this);
        }
    }

    /** Notes that the executor refused a turn. */
    void refused() {
        refused.set(true);
    }

    /** Asks the executor again for a turn that it refused. */
    void again() {
        if (refused.compareAndSet(true, false)) {
            feeds.execute(this);
        }
    }

    /** Takes a turn that the executor refused on this thread. */
    void runIfRefused() {
        if (refused.compareAndSet(true, false)) {
            run();
        }
    }

    /** What the next step of a turn is. */
    private enum Step {
        NOTHING,
        END,
        FAIL,
        CATCH_UP,
        CHANGED,
        READ,
        SIGNAL
    }

    private boolean step() {
        Flow.Subscriber<? super LiveEvent> to = subscriber.get();
        if (to == null) {
            return false;
        }
        Signal signal = null;
        Step step;
        int limit = 0;
        boolean deep = false;
        lock.lock();
        try {
            step = next();
            switch (step) {
                case CATCH_UP -> lost = false;
                case CHANGED -> changed = false;
                case READ -> {
                    if (reading == null) {
                        deep = deepDue;
                        readDue = false;
                        deepDue = false;
                    }
                }
                case SIGNAL -> signal = queue.poll();
                case NOTHING, END, FAIL -> {}
            }
            limit = (int) Math.min(PAGE, requested);
        } finally {
            lock.unlock();
        }
        if (step == Step.NOTHING) {
            return false;
        }
        try {
            take(step, to, signal, limit, deep);
        } catch (RuntimeException | Error e) {
            GuardedCallbacks.throwIfFatal(e);
            fail(e);
        }
        return true;
    }

    private void take(
            Step step, Flow.Subscriber<? super LiveEvent> to, @Nullable Signal signal, int limit, boolean deep) {
        switch (step) {
            case NOTHING -> {}
            case END -> complete(to, null);
            case FAIL -> complete(to, failure);
            case CATCH_UP -> deliver(to, new CatchUp(feeds.cursor(seen())));
            case CHANGED -> deliver(to, new FeedChanged(feeds.cursor(seen())));
            case READ -> read(to, limit, deep);
            case SIGNAL -> handle(to, signal);
        }
    }

    /** The next step; the first read only finds where the subscription begins, and needs no request. */
    private Step next() {
        if (!begun) {
            return Step.NOTHING;
        }
        if (failure != null) {
            return Step.FAIL;
        }
        if (ending) {
            return Step.END;
        }
        if (!connected || (seen != null && requested == 0)) {
            return Step.NOTHING;
        }
        if (seen == null) {
            return Step.READ;
        }
        if (!queue.isEmpty() && System.nanoTime() - queuedSince > LONGEST_WAIT_NANOS) {
            readInstead();
        }
        if (lost) {
            return Step.CATCH_UP;
        }
        if (changed) {
            return Step.CHANGED;
        }
        // Posts that are read come first: a cursor above them would pass them over when its list is full.
        if (readDue || reading != null) {
            return Step.READ;
        }
        return queue.isEmpty() ? Step.NOTHING : Step.SIGNAL;
    }

    private SeenPosts seen() {
        SeenPosts known = seen;
        if (known == null) {
            throw new IllegalStateException("the subscription has not begun");
        }
        return known;
    }

    private void read(Flow.Subscriber<? super LiveEvent> to, int limit, boolean deep) {
        try {
            if (seen == null) {
                seen = feeds.present(connection.reader(), begin);
                had = seen;
                readOn();
                return;
            }
            SeenPosts from = reading != null ? reading : deep ? lowest() : seen();
            long changes = connection.graphChanges();
            long readAt = System.nanoTime();
            LiveFeeds.Page page = feeds.newer(connection.reader(), from, limit);
            for (Post post : page.posts()) {
                if (connection.graphChanges() != changes || System.nanoTime() - readAt > LONGEST_PAGE_NANOS) {
                    readAgain(false);
                    return;
                }
                seen = ShownPosts.with(seen(), post, feeds.now());
                if (!isKnown(post) && !feeds.isDeleted(post)) {
                    delivered.add(post);
                    deliver(to, new PostAdded(post, feeds.cursor(seen())));
                }
            }
            reading = page.more() ? page.after() : null;
            seen = seen().and(page.after());
        } catch (StoreUnavailableException e) {
            log.debug(
                    "cannot read the live feed of {}; trying again", connection.reader(), FailureReasons.printable(e));
            reading = null;
            feeds.later(() -> readAgain(false));
        }
    }

    /** Whether the subscriber has a post that lies where this subscription knows all posts. */
    private boolean isKnown(Post post) {
        SeenPosts before = had;
        return delivered.contains(post) || (before != null && before.contains(post));
    }

    /** The lowest time from which this subscription knows all posts that the subscriber has. */
    private long knownFrom() {
        SeenPosts before = had;
        long listed = before == null ? Long.MAX_VALUE : before.since().millis();
        long lookback = seen().upTo().millis() - SeenPosts.LOOKBACK_MILLIS;
        return Math.max(lookback, Math.max(listed, delivered.completeFrom()));
    }

    /** All posts below which a read need not look: more than a cursor can list. */
    private SeenPosts lowest() {
        long from = knownFrom();
        return from < seen().since().millis() ? SeenPosts.upTo(new Position(from, "", "")) : seen();
    }

    private void handle(Flow.Subscriber<? super LiveEvent> to, @Nullable Signal signal) {
        if (signal instanceof Deleted deleted) {
            String author = deleted.key().author();
            if (feeds.isShown(connection, author)) {
                deliver(to, new PostDeleted(deleted.key(), feeds.cursor(seen())));
            }
            return;
        }
        if (!(signal instanceof Visible visible)) {
            return;
        }
        Post post = visible.post();
        boolean isBelow = post.publishedAt().toEpochMilli() < seen().since().millis();
        if (delivered.contains(post) || (!isBelow && seen().contains(post))) {
            return;
        }
        if (isBelow && post.publishedAt().toEpochMilli() >= knownFrom()) {
            if (isKnown(post)) {
                return;
            }
        } else if (isBelow && visible.by() != By.INSERTION) {
            // Neither the register nor a repetition says whether the reader has seen the post before.
            dropUnclear();
            readAgain(true);
            return;
        }
        try {
            if (feeds.isVisible(connection, post)) {
                delivered.add(post);
                if (!isBelow) {
                    seen = ShownPosts.with(seen(), post, feeds.now());
                }
                deliver(to, new PostAdded(post, feeds.cursor(seen())));
            }
        } catch (StoreUnavailableException e) {
            // The host's filter cannot decide now.
            log.debug("the filter cannot decide; reading the feed again", FailureReasons.printable(e));
            feeds.later(() -> readAgain(isBelow));
        }
    }

    /** Drops further signals of which this is true, so that the subscriber catches up once for all of them. */
    private void dropUnclear() {
        long known = Math.min(seen().since().millis(), knownFrom());
        lock.lock();
        try {
            queue.removeIf(signal -> signal instanceof Visible visible
                    && visible.by() != By.INSERTION
                    && visible.post().publishedAt().toEpochMilli() < known);
        } finally {
            lock.unlock();
        }
    }

    private void deliver(Flow.Subscriber<? super LiveEvent> to, LiveEvent event) {
        if (isCancelled()) {
            return;
        }
        lock.lock();
        try {
            if (requested != Long.MAX_VALUE) {
                requested--;
            }
        } finally {
            lock.unlock();
        }
        try {
            to.onNext(event);
        } catch (Throwable e) {
            cancel();
            feeds.subscriberFailed(connection.reader(), e);
        }
    }

    private void complete(Flow.Subscriber<? super LiveEvent> to, @Nullable Throwable cause) {
        if (isCancelled()) {
            return;
        }
        cancel();
        try {
            if (cause == null) {
                to.onComplete();
            } else {
                to.onError(cause);
            }
        } catch (Throwable e) {
            feeds.subscriberFailed(connection.reader(), e);
        }
    }
}
