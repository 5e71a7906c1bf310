package io.feedkit.internal.live;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.PostKey;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.signal.Signal.Changed;
import io.feedkit.internal.signal.Signal.Deleted;
import io.feedkit.internal.signal.Signal.Follows;
import io.feedkit.internal.signal.Signal.Marked;
import io.feedkit.internal.signal.Signal.Repaired;
import io.feedkit.internal.signal.Signal.Visible;
import io.feedkit.spi.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that passes signals to the connections. It takes all waiting signals at a time. A signal about an author
 * with very many connected followers is passed on in slices, between which other signals get their turns, and only as
 * fast as subscribers take their turns. The thread also runs calls after a delay. Thread-safe.
 */
final class SignalRouter {

    private static final Logger log = LoggerFactory.getLogger(SignalRouter.class);

    /** How many signals may wait. When there are more, all connections read their feeds instead. */
    static final int MOST_WAITING = 100_000;

    /** How many connections get a signal before others have their turn. */
    private static final int SLICE = 500;

    /** How many subscriptions may wait for a thread before a large fan-out pauses. */
    private static final int MOST_TURNS = 1000;

    /** How many connections may still have to be served. When there are more, all read their feeds instead. */
    private static final int MOST_UNSERVED = 5_000_000;

    private static final int DELETES_REMEMBERED = 10_000;
    private static final long TICK_MILLIS = 100;
    private static final long RETRY_MILLIS = 1000;
    private static final long CLOSE_MILLIS = 5000;

    private record Timer(long at, Runnable call) {}

    /** A signal on its way to many connections. */
    private static final class Delivery {
        private final List<Connection> to;
        private final Consumer<Connection> action;
        private int next;

        Delivery(List<Connection> to, Consumer<Connection> action) {
            this.to = to;
            this.action = action;
        }

        /** Serves some connections, and returns how many. */
        int serve(int most) {
            int begin = next;
            int end = Math.min(to.size(), next + most);
            for (; next < end; next++) {
                action.accept(to.get(next));
            }
            return end - begin;
        }

        boolean isServed() {
            return next == to.size();
        }
    }

    private final String engine;
    private final LiveFeeds feeds;
    private final ConnectedReaders readers;
    private final AtomicBoolean started = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** Whether all signals have been passed on. */
    private volatile boolean idle = true;

    /** Whether connections must read their feeds after a loss, but cannot yet. Set by the thread. */
    private volatile boolean lossPending;

    // Guarded by the lock.
    private List<Signal> waiting = new ArrayList<>();
    private boolean overflow;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));
    private boolean closed;
    private @Nullable Thread thread;

    // Used by the thread.
    private final Deque<Delivery> deliveries = new ArrayDeque<>();
    private long unserved;
    private final Deque<PostKey> deletes = new ArrayDeque<>();

    /** The latest deleted posts; changed by the thread only. */
    private final Set<PostKey> deleted = ConcurrentHashMap.newKeySet();

    SignalRouter(String engine, LiveFeeds feeds, ConnectedReaders readers) {
        this.engine = engine;
        this.feeds = feeds;
        this.readers = readers;
    }

    /** Starts the thread at the first call. */
    void start() {
        if (started.compareAndSet(false, true)) {
            Thread router = new Thread(this::run, engine + "-live");
            router.setDaemon(true);
            lock.lock();
            try {
                thread = router;
            } finally {
                lock.unlock();
            }
            router.start();
        }
    }

    void add(List<? extends Signal> signals) {
        lock.lock();
        try {
            if (closed || signals.isEmpty()) {
                return;
            }
            idle = false;
            if (waiting.size() + signals.size() > MOST_WAITING) {
                waiting.clear();
                overflow = true;
            } else {
                waiting.addAll(signals);
            }
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Lets all connections read their feeds, because signals may have been lost. */
    void lost() {
        lock.lock();
        try {
            overflow = true;
            idle = false;
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether all signals have been passed on to the connections. */
    boolean isIdle() {
        return idle && !lossPending;
    }

    /** Runs a call on the thread after a delay. It must not block. */
    void later(long millis, Runnable call) {
        lock.lock();
        try {
            timers.add(new Timer(System.nanoTime() + MILLISECONDS.toNanos(millis), call));
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (true) {
            List<Signal> signals;
            List<Runnable> calls = new ArrayList<>();
            boolean all;
            lock.lock();
            try {
                idle = waiting.isEmpty() && !overflow && deliveries.isEmpty();
                while (waiting.isEmpty() && !overflow && deliveries.isEmpty() && !closed && !isTimerDue()) {
                    pause(timers.isEmpty() ? Long.MAX_VALUE : timers.peek().at() - System.nanoTime());
                }
                if (!deliveries.isEmpty() && waiting.isEmpty() && feeds.turns() > MOST_TURNS) {
                    pause(MILLISECONDS.toNanos(1));
                }
                if (closed) {
                    return;
                }
                signals = waiting;
                waiting = new ArrayList<>();
                all = overflow;
                overflow = false;
                while (isTimerDue()) {
                    calls.add(timers.remove().call());
                }
            } finally {
                lock.unlock();
            }
            calls.forEach(this::call);
            try {
                if (all) {
                    readAll();
                }
                route(signals);
                deliverSome();
            } catch (RuntimeException | Error e) {
                log.warn("{}: cannot route the signals of live feeds; all subscribers catch up", engine, e);
                dropDeliveries();
                catchUpLater();
            }
        }
    }

    private void call(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.warn("{}: a call of live feeds failed; live feeds continue", engine, e);
        }
    }

    private void dropDeliveries() {
        deliveries.clear();
        unserved = 0;
    }

    /** Lets all connections read their feeds after a pause, because signals cannot be passed on now. */
    private void catchUpLater() {
        if (!lossPending) {
            lossPending = true;
            later(RETRY_MILLIS, this::lost);
        }
    }

    /**
     * Lets all connections read their feeds, with a view of the register from after the loss, and load their followees.
     */
    private void readAll() {
        lossPending = false;
        if (readers.isEmpty()) {
            return;
        }
        if (updateRegister(Set.of())) {
            readers.forEach(connection -> {
                feeds.reloadFollowees(connection);
                connection.readAgain(true);
            });
        } else {
            catchUpLater();
        }
    }

    private boolean isTimerDue() {
        Timer first = timers.peek();
        return first != null && first.at() - System.nanoTime() <= 0;
    }

    @SuppressWarnings("WaitNotInLoop") // the callers look again
    private void pause(long nanos) {
        try {
            if (nanos > 0) {
                long unused = news.awaitNanos(Math.min(nanos, MILLISECONDS.toNanos(TICK_MILLIS)));
            }
        } catch (InterruptedException e) {
            log.debug("{}: the thread of live feeds was interrupted, and continues", engine, e);
        }
    }

    private void route(List<Signal> signals) {
        if (readers.isEmpty() || signals.isEmpty()) {
            return;
        }
        Set<String> unknown = new HashSet<>();
        for (Signal signal : signals) {
            if (signal instanceof Visible visible && visible.pulled()) {
                String author = visible.post().author();
                if (readers.isFollowed(author) && !feeds.isKnownAsUnpushed(visible.post())) {
                    unknown.add(author);
                }
            }
        }
        if (!unknown.isEmpty() && !updateRegister(unknown)) {
            // Pages may not show pulled posts yet, so reading now might miss them.
            catchUpLater();
        }
        for (Signal signal : signals) {
            route(signal);
        }
    }

    /** Updates this engine's view of the register, so that its pages show the pulled posts, too. */
    private boolean updateRegister(Set<String> authors) {
        try {
            feeds.updateRegister(authors);
            return true;
        } catch (RuntimeException e) {
            log.debug("{}: cannot update the pulled register for live feeds", engine, FailureReasons.printable(e));
            return false;
        }
    }

    private void route(Signal signal) {
        if (signal instanceof Visible visible) {
            List<Connection> to = readers.followers(visible.post().author(), visible.readers());
            boolean shown = !visible.pulled() || feeds.isKnownAsUnpushed(visible.post());
            deliver(to, connection -> {
                if (shown) {
                    connection.offer(visible);
                } else {
                    connection.readAgain(false);
                }
            });
        } else if (signal instanceof Changed changed) {
            deliver(
                    readers.followers(changed.author(), changed.readers()),
                    connection -> connection.readAgain(changed.lost()));
        } else if (signal instanceof Deleted gone) {
            if (deleted.add(gone.key())) {
                deletes.add(gone.key());
                if (deletes.size() > DELETES_REMEMBERED) {
                    deleted.remove(deletes.remove());
                }
                deliver(readers.followers(gone.key().author(), KeyRange.ALL), connection -> connection.offer(gone));
            }
        } else if (signal instanceof Follows follows) {
            ifConnected(follows.reader(), feeds::reloadFollowees);
        } else if (signal instanceof Repaired repaired) {
            ifConnected(repaired.reader(), connection -> connection.readAgain(false));
        } else if (signal instanceof Marked marked) {
            ifConnected(marked.reader(), Connection::change);
        }
    }

    /** Whether a post is among the latest that were deleted. Called by any thread. */
    boolean isDeleted(PostKey key) {
        return deleted.contains(key);
    }

    private void ifConnected(String reader, Consumer<Connection> action) {
        Connection connection = readers.find(reader);
        if (connection != null) {
            action.accept(connection);
        }
    }

    private void deliver(List<Connection> to, Consumer<Connection> action) {
        if (to.size() <= SLICE) {
            to.forEach(action);
        } else if (unserved + to.size() > MOST_UNSERVED) {
            dropDeliveries();
            readers.forEach(connection -> connection.readAgain(true));
        } else {
            deliveries.add(new Delivery(to, action));
            unserved += to.size();
        }
    }

    private void deliverSome() {
        Delivery next = feeds.turns() > MOST_TURNS ? null : deliveries.poll();
        if (next != null) {
            unserved -= next.serve(SLICE);
            if (!next.isServed()) {
                deliveries.add(next);
            }
        }
    }

    /** Stops the thread. */
    void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            news.signal();
        } finally {
            lock.unlock();
        }
        if (running != null && running != Thread.currentThread()) {
            try {
                running.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
