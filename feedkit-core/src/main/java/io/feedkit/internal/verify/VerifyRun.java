package io.feedkit.internal.verify;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.feedkit.FeedKitException;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyProgress;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The state of one run: its pace, its progress and what it has found. For use by one thread. A run that was stopped
 * makes no further calls to the store.
 */
final class VerifyRun {

    /** After this many failures in a row, the run ends. */
    private static final int MOST_FAILURES = 10;

    private static final long PROGRESS_NANOS = SECONDS.toNanos(1);
    private static final long LONGEST_PARK_NANOS = MILLISECONDS.toNanos(50);

    private final VerifyRequest request;
    private final BooleanSupplier isEngineClosed;
    private final long started = System.nanoTime();
    private final long nanosEach;
    private final long sampled;
    private final int seed = ThreadLocalRandom.current().nextInt();
    private final Map<Stage, Long> checked = new EnumMap<>(Stage.class);
    private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
    private final List<Finding> kept = new ArrayList<>();
    private final Set<Stage> unlisted = EnumSet.noneOf(Stage.class);
    private final Set<Stage> incomplete = EnumSet.noneOf(Stage.class);
    private Stage stage = Stage.TASKS;
    private long found;
    private long repaired;
    private long undecided;
    private long failed;
    private int failuresInARow;
    private boolean stopped;
    private long nextAt = started;
    private long progressAt = started;

    VerifyRun(VerifyRequest request, BooleanSupplier isEngineClosed) {
        this.request = request;
        this.isEngineClosed = isEngineClosed;
        this.nanosEach = SECONDS.toNanos(1) / request.perSecond();
        this.sampled = (long) (request.sample() * (1L << Integer.SIZE));
    }

    VerifyRequest request() {
        return request;
    }

    /** Begins a stage. Returns false if the run was stopped. */
    boolean begin(Stage next) {
        if (stopped) {
            return false;
        }
        stage = next;
        checked.put(stage, 0L);
        return goesOn(true);
    }

    /** Ends a stage. */
    void end() {
        boolean unused = goesOn(true);
    }

    /** Records that the store cannot list the data of this stage. */
    void cannotList() {
        unlisted.add(stage);
        checked.remove(stage);
    }

    /**
     * Lists the data of this stage, and compares it. If a store cannot be reached, the rest of the data is left out.
     *
     * @throws FeedKitException if the failure is final, or a comparison has failed too often
     */
    void list(Runnable listing) {
        try {
            listing.run();
        } catch (FeedKitException e) {
            if (!e.isRetryable() || failuresInARow >= MOST_FAILURES) {
                throw e;
            }
            incomplete.add(stage);
        }
    }

    boolean isSampled(String id) {
        int hash = (id.hashCode() ^ seed) * 0x9E3779B9;
        return Integer.toUnsignedLong(hash ^ hash >>> 15) < sampled;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Counts things as compared. */
    void checked(long more) {
        checked.merge(stage, more, Long::sum);
    }

    /** Waits for the turn of the next comparison. Returns false if the run was stopped. */
    boolean next() {
        long now = System.nanoTime();
        long turn = Math.max(nextAt, now - SECONDS.toNanos(1));
        nextAt = turn + nanosEach;
        return pauseUntil(turn);
    }

    boolean pause(long millis) {
        return pauseUntil(System.nanoTime() + MILLISECONDS.toNanos(millis));
    }

    /** Waits, and reports progress meanwhile. Returns false if the run was stopped. */
    boolean pauseUntil(long nanos) {
        boolean goesOn = goesOn(false);
        for (long left = nanos - System.nanoTime(); goesOn && left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_PARK_NANOS));
            goesOn = goesOn(false);
        }
        return goesOn;
    }

    private boolean goesOn(boolean reportAnyway) {
        long now = System.nanoTime();
        if (!stopped && (Thread.currentThread().isInterrupted() || isEngineClosed.getAsBoolean())) {
            stopped = true;
        }
        if (!stopped && (reportAnyway || now - progressAt >= PROGRESS_NANOS)) {
            progressAt = now;
            stopped = !request.progress().test(VerifyProgress.of(stage, checked.getOrDefault(stage, 0L), found));
        }
        return !stopped;
    }

    /**
     * Runs a comparison. If the store cannot be reached, the comparison counts as failed.
     *
     * @return the outcome; {@link Look#NONE} after a failure
     * @throws FeedKitException if the failure is final, or is one of many in a row
     */
    Look attempt(Supplier<Look> comparison) {
        try {
            Look look = comparison.get();
            failuresInARow = 0;
            return look;
        } catch (FeedKitException e) {
            failuresInARow++;
            if (!e.isRetryable() || failuresInARow >= MOST_FAILURES) {
                throw e;
            }
            failed++;
            return Look.NONE;
        }
    }

    /** Records something whose data changed at every look, or whose posts are still being delivered. */
    void undecided() {
        undecided++;
    }

    /** Records confirmed findings. */
    void confirmed(List<Finding> findings) {
        for (Finding finding : findings) {
            found++;
            counts.merge(finding.kind(), 1L, Long::sum);
            if (finding.repair() == Repair.DONE || finding.repair() == Repair.LEFT_TO_WORKERS) {
                repaired++;
            }
            if (kept.size() < request.keptFindings()) {
                kept.add(finding);
            }
        }
    }

    VerifyReport report() {
        return VerifyReport.builder()
                .checked(checked)
                .counts(counts)
                .findings(kept)
                .repaired(repaired)
                .undecided(undecided)
                .failed(failed)
                .unlisted(unlisted)
                .incomplete(incomplete)
                .stopped(stopped)
                .took(Duration.ofNanos(System.nanoTime() - started))
                .build();
    }
}
