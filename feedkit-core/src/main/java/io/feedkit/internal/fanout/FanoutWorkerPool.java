package io.feedkit.internal.fanout;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.feedkit.internal.fanout.FanoutRound.Round;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.internal.transaction.CommitWatch;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that work off the fan-out log. They start with the engine. The engine's publishes wake them, and so does
 * the log itself if it can. They look for other engines' tasks every poll interval. A wake-up may come before its task
 * is visible, because a host's transaction has not committed yet. Then the threads look again soon, with pauses that
 * double up to the poll interval. Thread-safe.
 */
public final class FanoutWorkerPool implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FanoutWorkerPool.class);

    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final CommitWatch commits;
    private final String engine;
    private final FanoutRound worker;
    private final FanoutLog fanoutLog;
    private final long pollNanos;
    private final Duration lease;
    private final List<Thread> threads = new ArrayList<>();
    private final GuardedListener events;
    private final WarningLimiter warnings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private Watch watch = () -> {};
    private long wakeUps;
    private long pauseNanos = Long.MAX_VALUE;
    private int busy;
    private long rounds;
    private boolean paused;
    private boolean closed;

    public FanoutWorkerPool(
            EngineSettings settings,
            FanoutLog fanoutLog,
            GuardedListener listener,
            CommitWatch commits,
            FanoutRound worker) {
        this.commits = commits;
        this.engine = settings.name();
        this.fanoutLog = fanoutLog;
        this.events = listener;
        this.warnings = new WarningLimiter(settings.clock());
        this.worker = worker;
        this.pollNanos = settings.fanout().pollInterval().toNanos();
        this.lease = settings.fanout().lease();
        for (int i = 1; i <= settings.fanout().workers(); i++) {
            Thread thread = new Thread(this::workOn, engine + "-fanout-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    public void start() {
        if (!threads.isEmpty()) {
            watch = fanoutLog.watch(this::wake);
        }
        threads.forEach(Thread::start);
    }

    /** Wakes a worker: there may be a task. */
    public void wake() {
        if (threads.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            wakeUps++;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a worker, and makes it look again soon: a task may become visible shortly. */
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

    /** Runs rounds on the calling thread until no task is due and no worker is in a round. */
    public int drain() {
        if (threads.contains(Thread.currentThread())) {
            throw new IllegalStateException("drain must not be called on a fan-out worker, which it would wait for");
        }
        int finished = 0;
        while (true) {
            long before = roundsIfIdle();
            Round round = worker.run();
            finished += round.finished();
            if (round.claimed() == 0 && awaitIdle(before)) {
                commits.look();
                return finished;
            }
        }
    }

    /** How many rounds the workers have ended, or -1 if a round is under way: tasks that it gives back may be due. */
    private long roundsIfIdle() {
        lock.lock();
        try {
            return busy == 0 ? rounds : -1;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no worker is in a round; returns whether none was since the number of ended rounds was
     * {@code before}.
     */
    private boolean awaitIdle(long before) {
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

    /** Works until {@link #close}, also after errors, for example of the logger or for lack of memory. */
    private void workOn() {
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
            boolean nothingDue = true;
            try {
                nothingDue = worker.run().claimed() == 0;
            } catch (Throwable e) {
                log.atLevel(warnings.level())
                        .setCause(e)
                        .log(
                                "{}: fan-out is interrupted and goes on by itself; failures of the next minutes "
                                        + "are logged at DEBUG",
                                engine);
            } finally {
                end();
            }
            if (nothingDue) {
                rest(seen);
            }
        }
    }

    /** Waits while paused; returns the number of wake-ups so far, or -1 if the pool is closed. */
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

    private void end() {
        lock.lock();
        try {
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
            long left = Math.min(pollNanos, pauseNanos);
            pauseNanos = left < pollNanos ? 2 * left : Long.MAX_VALUE;
            while (!closed && wakeUps == seen && left > 0) {
                left = work.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            log.debug("{}: a stray interrupt woke a fan-out worker; only close() stops it", engine, e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the workers finish their rounds and stops them. A worker that takes longer than the lease hangs in the store
     * or in the listener, and ends when that call returns.
     */
    @Override
    public void close() {
        watch.close();
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
            long inListener = hanging.stream().filter(events::isTelling).count();
            log.warn(
                    "{}: closed after waiting {} for fan-out workers: {} hang in the listener, and {} in the store",
                    engine,
                    lease,
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
