package io.feedkit.verify;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What {@link io.feedkit.FeedEngine#verify} compares, how fast, and whether it repairs. Immutable; each method returns
 * a changed copy. Methods throw {@link IllegalArgumentException} if a value is null or out of range.
 *
 * @since 0.1.0
 */
@Beta
public final class VerifyRequest {

    /** How many readers, authors, users or pages of tasks are compared in a second, unless a request says otherwise. */
    public static final int DEFAULT_PER_SECOND = 500;

    /** How many findings a report keeps, unless a request says otherwise. All findings are counted. */
    public static final int DEFAULT_KEPT_FINDINGS = 100;

    /**
     * How long after the first look a difference is looked at again, unless a request says otherwise. It is the default
     * lease, because no call to a store takes longer.
     */
    public static final Duration DEFAULT_RECHECK_AFTER = Duration.ofSeconds(30);

    private static final int MOST_PER_SECOND = 1_000_000;
    private static final int MOST_KEPT = 1_000_000;

    private record Values(
            double sample,
            int perSecond,
            boolean repair,
            int keptFindings,
            Duration recheckAfter,
            Predicate<VerifyProgress> progress) {}

    private final Values values;

    private VerifyRequest(Values values) {
        this.values = values;
    }

    /**
     * Everything, at {@value #DEFAULT_PER_SECOND} a second, without repair.
     *
     * @return the request
     */
    public static VerifyRequest everything() {
        return new VerifyRequest(new Values(
                1, DEFAULT_PER_SECOND, false, DEFAULT_KEPT_FINDINGS, DEFAULT_RECHECK_AFTER, progress -> true));
    }

    /**
     * A share of the users, chosen at random anew by each run. Tasks are all compared.
     *
     * @param share more than 0, at most 1; 0.01 for one user in a hundred
     * @return everything, but only of these users, at {@value #DEFAULT_PER_SECOND} a second, without repair
     */
    public static VerifyRequest sample(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be more than 0 and at most 1, but is " + share);
        }
        VerifyRequest all = everything();
        return new VerifyRequest(new Values(
                share, all.perSecond(), all.repairs(), all.keptFindings(), all.recheckAfter(), all.progress()));
    }

    /**
     * Limits the rate. A user with many edges counts once for each thousand edges.
     *
     * @param perSecond how many readers, authors, users or pages of tasks are compared in a second, 1 to 1,000,000
     * @return the request
     */
    public VerifyRequest perSecond(int perSecond) {
        return new VerifyRequest(new Values(
                sample(),
                between("perSecond", perSecond, 1, MOST_PER_SECOND),
                repairs(),
                keptFindings(),
                recheckAfter(),
                progress()));
    }

    /**
     * Sets whether differences are repaired.
     *
     * @param repair whether to repair
     * @return the request
     */
    public VerifyRequest repair(boolean repair) {
        return new VerifyRequest(new Values(sample(), perSecond(), repair, keptFindings(), recheckAfter(), progress()));
    }

    /**
     * Sets how many findings the report keeps. All findings are counted and repaired.
     *
     * @param keptFindings how many, 0 to 1,000,000
     * @return the request
     */
    public VerifyRequest keptFindings(int keptFindings) {
        return new VerifyRequest(new Values(
                sample(),
                perSecond(),
                repairs(),
                between("keptFindings", keptFindings, 0, MOST_KEPT),
                recheckAfter(),
                progress()));
    }

    /**
     * Sets how long after the first look a difference is looked at again. A difference is a finding only if it is still
     * there. Without differences, nothing waits. A time that is shorter than a follow takes may report follows that are
     * under way.
     *
     * @param recheckAfter zero to a day
     * @return the request
     */
    public VerifyRequest recheckAfter(Duration recheckAfter) {
        return new VerifyRequest(new Values(
                sample(),
                perSecond(),
                repairs(),
                keptFindings(),
                between("recheckAfter", recheckAfter, Duration.ZERO, Duration.ofDays(1)),
                progress()));
    }

    /**
     * Sets a callback for progress and cancellation. The thread that verifies calls it about once a second, and at the
     * beginning and the end of each stage. If it returns false, the run stops, and its report is
     * {@linkplain VerifyReport#isStopped stopped}. If it throws, the run ends with that exception.
     *
     * @param progress returns whether to continue
     * @return the request
     */
    public VerifyRequest onProgress(Predicate<VerifyProgress> progress) {
        return new VerifyRequest(new Values(
                sample(), perSecond(), repairs(), keptFindings(), recheckAfter(), nonNull("progress", progress)));
    }

    /**
     * The share of users.
     *
     * @return more than 0, at most 1
     */
    public double sample() {
        return values.sample;
    }

    /**
     * The rate.
     *
     * @return how many are compared in a second
     */
    public int perSecond() {
        return values.perSecond;
    }

    /**
     * Whether differences are repaired.
     *
     * @return false by default
     */
    public boolean repairs() {
        return values.repair;
    }

    /**
     * How many findings the report keeps.
     *
     * @return the number
     */
    public int keptFindings() {
        return values.keptFindings;
    }

    /**
     * How long after the first look a difference is looked at again.
     *
     * @return the time
     */
    public Duration recheckAfter() {
        return values.recheckAfter;
    }

    /**
     * The callback for progress and cancellation.
     *
     * @return the callback
     */
    public Predicate<VerifyProgress> progress() {
        return values.progress;
    }

    @Override
    public String toString() {
        return "VerifyRequest[sample=" + sample() + ", perSecond=" + perSecond() + ", repair=" + repairs() + "]";
    }
}
