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
 * Removes what is over, little by little: each run lets each job remove a bounded number of things, in batches, so that no transaction is long; if there is
 * more, the next run begins at once. One daemon thread, {@value #THREAD}, or none. Several processes may do this at once.
 */
public final class Maintenance implements AutoCloseable {

    /** Removes things of one kind. */
    public interface Job {

        /** Removes up to some number of things, and returns how many it removed. */
        int run(int limit);
    }

    /** A job and its name, for logs. */
    public record Named(String name, Job job) {}

    static final String THREAD = "feedkit-jdbc-maintenance";
    static final int BATCH = 500;
    static final int RUN_LIMIT = 20 * BATCH;

    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    private final List<Named> jobs;
    private final Duration interval;
    private final Duration patience;
    private final Optional<ScheduledThreadPoolExecutor> timer;
    private volatile boolean closed;
    private boolean failing;

    /**
     * Maintenance that has begun.
     *
     * @param interval how often jobs run, and for how long at most they go on if there is more to remove; zero for never, and without a thread
     * @param patience how long closing waits for a statement
     */
    public Maintenance(List<Named> jobs, Duration interval, Duration patience) {
        this.jobs = List.copyOf(jobs);
        this.interval = interval;
        this.patience = patience;
        this.timer = interval.isZero() ? Optional.empty() : Optional.of(begun(Math.max(1, interval.toMillis())));
    }

    /** The first run comes at a random time, so that processes that start together do not run together. */
    private ScheduledThreadPoolExecutor begun(long millis) {
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

    /** One run, for the thread: rounds for as long as some job has more to remove, but not for ever. */
    private void run() {
        long began = System.nanoTime();
        while (round() && !closed && System.nanoTime() - began < interval.toNanos()) {
            LOG.debug("there is more to remove");
        }
    }

    /** Lets each job have a turn, and says whether some job reached its limit. Whatever a job throws, the schedule goes on. */
    private boolean round() {
        boolean failed = false;
        boolean more = false;
        for (Named named : jobs) {
            try {
                int removed = MultiTransaction.run(
                        named.name(), transactions -> removed(named.job(), RUN_LIMIT, transactions));
                more |= removed >= RUN_LIMIT;
                LOG.debug("{} removed {}", named.name(), removed);
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
            LOG.debug("{} failed, and is tried again", name, failure);
        } else {
            LOG.warn("{} failed, and is tried again; further failures in a row are logged at DEBUG", name, failure);
        }
    }

    /** Lets each job remove up to a number of things now, and returns how many were removed. */
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

    /** Ends the thread after its current statement. It is not interrupted: that would close the file of an H2 database. */
    @Override
    public void close() {
        closed = true;
        if (timer.isPresent()) {
            timer.get().shutdown();
            try {
                if (!timer.get().awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    LOG.warn("{} has not ended within {}", THREAD, patience);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
