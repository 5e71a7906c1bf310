package io.feedkit.jdbc.internal.store;

import io.feedkit.jdbc.internal.sql.MultiTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired rows in small steps. In each run every job removes a bounded number of rows, in batches, so that no
 * transaction is long. If there are more rows, the next round starts at once. Maintenance has one daemon thread,
 * {@value #THREAD}, or none. Several processes may run it at once.
 */
public final class Maintenance implements AutoCloseable {

    /** Removes expired rows of one kind. */
    public interface Job {

        /** Removes rows up to a limit, and returns their number. */
        int run(int limit);

        /** Whether the thread should run the job now. */
        default boolean isDue() {
            return true;
        }
    }

    /** A job, with its name for logs. */
    public record Named(String name, Job job) {}

    static final String THREAD = "feedkit-jdbc-maintenance";
    static final int BATCH = 500;
    static final int RUN_LIMIT = 20 * BATCH;

    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    private final List<Named> jobs;
    private final Duration interval;
    private final Duration closeTimeout;
    private final Optional<ScheduledThreadPoolExecutor> timer;
    private volatile boolean closed;
    private boolean failing;

    /**
     * Starts maintenance.
     *
     * @param interval how often jobs run, and how long a run continues at most if there are more rows; zero for no
     *     thread
     * @param closeTimeout how long {@link #close} waits for a statement
     */
    public Maintenance(List<Named> jobs, Duration interval, Duration closeTimeout) {
        this.jobs = List.copyOf(jobs);
        this.interval = interval;
        this.closeTimeout = closeTimeout;
        this.timer = interval.isZero() ? Optional.empty() : Optional.of(start(Math.max(1, interval.toMillis())));
    }

    /** The first run starts at a random time, so that processes that start together do not run together. */
    private ScheduledThreadPoolExecutor start(long millis) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = Executors.defaultThreadFactory().newThread(task);
            thread.setName(THREAD);
            thread.setDaemon(true);
            return thread;
        });
        long first = ThreadLocalRandom.current().nextLong(millis) + 1;
        // A run reports its own failures.
        ScheduledFuture<?> unused = executor.scheduleWithFixedDelay(this::run, first, millis, TimeUnit.MILLISECONDS);
        return executor;
    }

    /** One run of the thread: repeats rounds while some job has more rows, at most for the interval. */
    private void run() {
        long began = System.nanoTime();
        while (round() && !closed && System.nanoTime() - began < interval.toNanos()) {
            LOG.debug("There are more rows to remove");
        }
    }

    /** Runs each job once, and returns whether some job reached its limit. A failed job does not stop the schedule. */
    private boolean round() {
        boolean failed = false;
        boolean more = false;
        for (Named named : jobs) {
            try {
                if (!named.job().isDue()) {
                    continue;
                }
                int removed = MultiTransaction.run(
                        named.name(), transactions -> removed(named.job(), RUN_LIMIT, transactions));
                more |= removed >= RUN_LIMIT;
                LOG.debug("The maintenance job {} removed {} rows", named.name(), removed);
            } catch (RuntimeException | Error e) {
                failed = true;
                report(named.name(), e);
            }
        }
        failing = failed;
        return more;
    }

    private void report(String name, Throwable failure) {
        if (failing || closed) {
            LOG.debug("The maintenance job {} failed; the next run retries it", name, failure);
        } else {
            LOG.warn(
                    "The maintenance job {} failed; the next run retries it. Repeated failures are logged at DEBUG",
                    name,
                    failure);
        }
    }

    /** Lets each job remove rows up to a limit now, and returns the number of removed rows. */
    public int purge(int limit) {
        return MultiTransaction.run(
                "store.purge",
                transactions -> jobs.stream()
                        .mapToInt(named -> removed(named.job(), limit, transactions))
                        .reduce(0, Math::addExact));
    }

    private int removed(Job job, int limit, MultiTransaction transactions) {
        int removed = 0;
        while (removed < limit && !closed) {
            int batch = Math.min(BATCH, limit - removed);
            int step = job.run(batch);
            transactions.committed(step);
            removed += step;
            if (step < batch) {
                break;
            }
        }
        return removed;
    }

    /**
     * Stops the thread after its current statement. The thread is not interrupted, because that would close the file of
     * an H2 database.
     */
    @Override
    public void close() {
        closed = true;
        if (timer.isPresent()) {
            timer.get().shutdown();
            try {
                if (!timer.get().awaitTermination(closeTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    LOG.warn("The thread {} did not end within {}; it ends after its statement", THREAD, closeTimeout);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
