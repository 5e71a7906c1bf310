package io.feedkit.internal.fanout;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Daemon threads that run rounds of work until they are closed. After a round that found no more work, they sleep until
 * the rest is over or a wake-up comes. The rest doubles as long as nothing is found. A wake-up may come before its task
 * is visible, because a host's transaction has not committed yet. Then the threads look again soon, with pauses that
 * double up to the poll interval. Thread-safe.
 */
public final class RoundThreads implements AutoCloseable {

    /** What a round has found to do. */
    public enum Found {
        /** There may be more. */
        MORE,
        /** There was something, and there is no more for now. */
        SOME,
        NOTHING
    }

    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final Logger log;
    private final String engine;
    private final String what;
    private final Supplier<Found> round;
    private final long firstRestNanos;
    private final long pollNanos;
    private final Supplier<Duration> longestRest;
    private final Duration lease;
    private final List<Thread> threads = new ArrayList<>();
    private final GuardedListener events;
    private final WarningLimiter warnings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private long wakeUps;
    private long pauseNanos = Long.MAX_VALUE;
    private long restNanos;
    private int busy;
    private long rounds;
    private boolean paused;
    private boolean closed;

    /**
     * What the threads do.
     *
     * @param what the name of the work, for log messages
     * @param threadName the work, for the names of the threads
     * @param threads how many threads
     * @param firstRest the first rest after something was found
     * @param longestRest the longest rest from now on
     * @param round runs one round
     */
    public record Work(
            String what,
            String threadName,
            int threads,
            Duration firstRest,
            Supplier<Duration> longestRest,
            Supplier<Found> round) {}

    public RoundThreads(Logger log, EngineSettings settings, GuardedListener listener, Work work) {
        this.log = log;
        this.engine = settings.name();
        this.what = work.what();
        this.round = work.round();
        this.pollNanos = settings.fanout().pollInterval().toNanos();
        this.longestRest = work.longestRest();
        this.firstRestNanos = work.firstRest().toNanos();
        this.restNanos = firstRestNanos;
        this.lease = settings.fanout().tasks().lease();
        this.events = listener;
        this.warnings = new WarningLimiter(settings.clock());
        for (int i = 1; i <= work.threads(); i++) {
            Thread thread = new Thread(this::workUntilClosed, engine + "-" + work.threadName() + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    boolean isEmpty() {
        return threads.isEmpty();
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    boolean contains(Thread thread) {
        return threads.contains(thread);
    }

    /** Wakes a thread: there may be a task. */
    public void wake() {
        if (threads.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            wakeUps++;
            restNanos = firstRestNanos;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a thread, and makes it look again soon: a task may become visible shortly. */
    public void wakeSoon() {
        lock.lock();
        try {
            pauseNanos = FIRST_PAUSE_NANOS;
        } finally {
            lock.unlock();
        }
        wake();
    }

    public void pause(boolean pause) {
        lock.lock();
        try {
            paused = pause;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many rounds have ended, or -1 if a round is under way: tasks that it gives back may be due. */
    long roundsIfIdle() {
        lock.lock();
        try {
            return busy == 0 ? rounds : -1;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no thread is in a round. Returns whether no round has run since {@code before} rounds had ended. */
    boolean awaitIdle(long before) {
        lock.lock();
        try {
            boolean quiet = busy == 0 && rounds == before;
            while (busy > 0) {
                idle.awaitUninterruptibly();
            }
            return quiet;
        } finally {
            lock.unlock();
        }
    }

    /** Works until {@link #close}, even after errors, for example of the logger or for lack of memory. */
    private void workUntilClosed() {
        while (true) {
            try {
                work();
                return;
            } catch (Throwable e) {
                boolean unused = Thread.interrupted();
                LockSupport.parkNanos(pollNanos);
            }
        }
    }

    private void work() {
        while (true) {
            long seen = begin();
            if (seen < 0) {
                return;
            }
            Found found = Found.NOTHING;
            try {
                found = round.get();
            } catch (Throwable e) {
                log.atLevel(warnings.level())
                        .setCause(FailureReasons.printable(e))
                        .log(
                                "{}: {} round failed; the thread continues; failures of the next minutes are logged at "
                                        + "DEBUG",
                                engine,
                                what);
            } finally {
                end(found);
            }
            if (found != Found.MORE) {
                rest(seen);
            }
        }
    }

    /** Waits while paused; returns the number of wake-ups so far, or -1 if the threads are to end. */
    private long begin() {
        lock.lock();
        try {
            while (paused && !closed) {
                work.awaitUninterruptibly();
            }
            if (closed) {
                return -1;
            }
            busy++;
            return wakeUps;
        } finally {
            lock.unlock();
        }
    }

    private void end(Found found) {
        lock.lock();
        try {
            restNanos = found == Found.NOTHING ? restNanos : firstRestNanos;
            busy--;
            rounds++;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void rest(long seen) {
        lock.lock();
        try {
            long left = Math.min(restNanos, pauseNanos);
            pauseNanos = left < pollNanos ? 2 * left : Long.MAX_VALUE;
            restNanos = Math.min(longestRest.get().toNanos(), 2 * restNanos);
            while (!closed && wakeUps == seen && left > 0) {
                left = work.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            log.debug("{}: a stray interrupt woke a {} thread; only close() stops it", engine, what, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the threads finish their rounds and stops them. A thread that takes longer than the lease hangs in the store
     * or in the listener, and ends when that call returns.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
        long end = System.nanoTime() + lease.toNanos();
        List<Thread> others = threads.stream()
                .filter(thread -> thread != Thread.currentThread())
                .toList();
        others.forEach(thread -> joinUninterruptibly(thread, end));
        List<Thread> hanging = others.stream().filter(Thread::isAlive).toList();
        if (!hanging.isEmpty()) {
            long inListener = hanging.stream().filter(events::isNotifying).count();
            log.warn(
                    "{}: closed after waiting {} for {} threads: {} hang in the listener, and {} in the store",
                    engine,
                    lease,
                    what,
                    inListener,
                    hanging.size() - inListener);
        }
    }

    private static void joinUninterruptibly(Thread thread, long end) {
        boolean interrupted = false;
        for (long left = end - System.nanoTime(); thread.isAlive() && left > 0; left = end - System.nanoTime()) {
            try {
                NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
