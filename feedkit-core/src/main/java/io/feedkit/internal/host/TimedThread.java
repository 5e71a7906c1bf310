package io.feedkit.internal.host;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.feedkit.internal.check.FailureReasons;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that runs one action when it is due. At most one run waits: a request for a later run than the
 * waiting one changes nothing. The thread starts with the first request, and ends when it has been idle for some
 * seconds. Times are real time, not that of the engine's clock. Thread-safe.
 */
public final class TimedThread {

    private static final Logger log = LoggerFactory.getLogger(TimedThread.class);

    private static final long IDLE_SECONDS = 10;

    private final String name;
    private final Runnable action;
    private final ScheduledThreadPoolExecutor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ScheduledFuture<?> next;
    private volatile long nextAt;
    private volatile boolean waiting;
    private volatile boolean closed;

    /**
     * @param purpose what the thread does, for its name
     * @param action a run; its failures are logged at ERROR, so it handles those that it expects
     */
    public TimedThread(EngineSettings settings, String purpose, Runnable action) {
        this.name = settings.name() + "-" + purpose;
        this.action = action;
        executor = new ScheduledThreadPoolExecutor(1, run -> {
            Thread thread = new Thread(run, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setKeepAliveTime(IDLE_SECONDS, SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Whether a waiting run begins within this time. Cheap: two volatile reads and the time. */
    public boolean isDueWithin(Duration delay) {
        return waiting && nextAt - System.nanoTime() <= delay.toNanos();
    }

    /**
     * Lets a run begin within this time, unless the thread was closed. Never fails: if no thread can be started, the
     * next request tries again.
     */
    public void within(Duration delay) {
        lock.lock();
        try {
            long at = System.nanoTime() + delay.toNanos();
            if (closed || (next != null && nextAt - at <= 0)) {
                return;
            }
            if (next != null) {
                next.cancel(false);
            }
            next = null;
            next = executor.schedule(this::run, delay.toNanos(), NANOSECONDS);
            nextAt = at;
            waiting = true;
        } catch (Throwable e) {
            waiting = false;
            log.debug("the thread {} cannot be started; the next request tries again", name, e);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        lock.lock();
        try {
            next = null;
            waiting = false;
        } finally {
            lock.unlock();
        }
        try {
            action.run();
        } catch (Throwable e) {
            log.error("the thread {} failed; its next run tries again", name, FailureReasons.printable(e));
        }
    }

    /**
     * Cancels the waiting run, and runs a last action on the thread. Waits for it, and for a run under way, but no
     * longer than the limit. An action that takes longer continues on the daemon thread.
     *
     * @return whether the last action has ended
     */
    public boolean close(Runnable last, Duration limit) {
        Future<?> done;
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
            done = executor.submit(last);
        } catch (RejectedExecutionException e) {
            return false;
        } finally {
            lock.unlock();
        }
        try {
            return await(done, limit);
        } finally {
            executor.shutdown();
        }
    }

    private static boolean await(Future<?> done, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get(end - System.nanoTime(), NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | CancellationException e) {
                    log.debug("the last action of a thread failed", FailureReasons.printable(e));
                    return true;
                } catch (TimeoutException e) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Cancels the waiting run. A run under way ends by itself. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            executor.shutdown();
        } finally {
            lock.unlock();
        }
    }
}
