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
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "feedkit-counters-flush");

    private FlushLoop(WriteBehindCounters counters, Duration interval) {
        this.counters = counters;
        intervalNanos = interval.toNanos();
        thread.setDaemon(true);
    }

    /** Starts the thread. */
    public static FlushLoop start(WriteBehindCounters counters, Duration interval) {
        FlushLoop loop = new FlushLoop(counters, interval);
        loop.thread.start();
        return loop;
    }

    private void run() {
        FailureLogLevel failures = new FailureLogLevel(Clock.systemUTC());
        try {
            while (!closed.await(intervalNanos, TimeUnit.NANOSECONDS)) {
                flushOnce(failures);
            }
        } catch (InterruptedException e) {
            LOG.debug("the flushing thread was interrupted, and ends", e);
        }
    }

    /** A flush that fails, for whatever reason, is repeated after the next interval. */
    private void flushOnce(FailureLogLevel failures) {
        try {
            counters.flush();
        } catch (Throwable e) {
            LOG.atLevel(failures.of(e))
                    .setCause(e)
                    .log("changes of counters cannot be written to the source, and stay in Redis until they can");
        }
    }

    /** Ends the thread, waits for a flush that is under way, and writes what is left if possible. Idempotent. */
    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        flushOnce(new FailureLogLevel(Clock.systemUTC()));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
