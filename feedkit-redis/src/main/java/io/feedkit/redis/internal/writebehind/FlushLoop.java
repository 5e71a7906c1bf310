package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.connection.FailureLogLevel;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that writes pending changes to the source of truth at an interval. */
public final class FlushLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FlushLoop.class);

    private final WriteBehindCounters counters;
    private final long intervalNanos;
    private final long closeMillis;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "feedkit-counters-flush");

    private FlushLoop(WriteBehindCounters counters, Duration interval, Duration closeTimeout) {
        this.counters = counters;
        intervalNanos = interval.toNanos();
        closeMillis = closeTimeout.toMillis();
        thread.setDaemon(true);
    }

    /** Starts the thread. Closing waits for it no longer than a time-out. */
    public static FlushLoop start(WriteBehindCounters counters, Duration interval, Duration closeTimeout) {
        FlushLoop loop = new FlushLoop(counters, interval, closeTimeout);
        loop.thread.start();
        return loop;
    }

    private void run() {
        FailureLogLevel failures = new FailureLogLevel(Clock.systemUTC());
        try {
            while (!closed.await(intervalNanos, TimeUnit.NANOSECONDS)) {
                flushOnce(failures);
            }
            flushOnce(failures);
        } catch (InterruptedException e) {
            LOG.debug("the flush thread was interrupted, and ends", e);
        }
    }

    /** A flush that fails, for whatever reason, is repeated after the next interval. */
    private void flushOnce(FailureLogLevel failures) {
        try {
            counters.flush();
        } catch (Throwable e) {
            LOG.atLevel(failures.of(e))
                    .setCause(e)
                    .log("cannot write counter changes to the source; they stay in Redis, and the next flush retries");
        }
    }

    /**
     * Lets the thread write the remaining changes if possible, and ends it. Waits for a limited time, and not after an
     * interrupt. Then it interrupts the thread, whose calls to Redis fail when the connections are closed. Idempotent.
     */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(closeMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            thread.interrupt();
            LOG.warn("the last flush of counters exceeded the close time-out; unwritten changes stay in Redis");
        }
    }
}
