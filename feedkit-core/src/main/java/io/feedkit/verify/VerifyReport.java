package io.feedkit.verify;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.verify.VerifyProgress.Stage;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a {@link io.feedkit.FeedEngine#verify} has compared and found. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public final class VerifyReport {

    private record Values(
            Map<Stage, Long> checked,
            Map<FindingKind, Long> counts,
            List<Finding> findings,
            long repaired,
            long undecided,
            long failed,
            Set<Stage> unlisted,
            Set<Stage> incomplete,
            boolean stopped,
            Duration took) {}

    private final Values values;

    private VerifyReport(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of a report. Numbers that are not set are zero.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether nothing was found, the run was not stopped, and no stage is {@linkplain #incomplete incomplete}.
     *
     * @return true if there is no finding
     */
    public boolean isClean() {
        return values.counts.isEmpty() && !values.stopped && values.incomplete.isEmpty();
    }

    /**
     * How much was compared in each stage.
     *
     * @return the number of tasks, authors, users or readers, in the order of the stages; unmodifiable
     */
    public Map<Stage, Long> checked() {
        return values.checked;
    }

    /**
     * How many differences of each kind were found, repaired or not.
     *
     * @return the counts, in the order of the kinds, without zeros; unmodifiable
     */
    public Map<FindingKind, Long> counts() {
        return values.counts;
    }

    /**
     * The first findings, up to {@link VerifyRequest#keptFindings}.
     *
     * @return the findings, in the order in which they were confirmed; unmodifiable
     */
    public List<Finding> findings() {
        return values.findings;
    }

    /**
     * How many differences were repaired, or left to workers.
     *
     * @return the number
     */
    public long repaired() {
        return values.repaired;
    }

    /**
     * How many tasks, authors, users or readers could not be decided: their data changed at every look, or their posts
     * are still being delivered.
     *
     * @return the number; run again to compare them
     */
    public long undecided() {
        return values.undecided;
    }

    /**
     * How many authors, users or readers were not compared because a store could not be reached.
     *
     * @return the number; run again to compare them
     */
    public long failed() {
        return values.failed;
    }

    /**
     * Which stages were left out because the store cannot list its data, such as a follow graph of the host.
     *
     * @return the stages, in their order; unmodifiable
     */
    public Set<Stage> unlisted() {
        return values.unlisted;
    }

    /**
     * Which stages ended early because a store could not be reached while its data was listed. Stages after them were
     * compared. What such a stage had found counts, except among tasks, which are confirmed by another listing.
     *
     * @return the stages, in their order; unmodifiable; run again to compare them
     */
    public Set<Stage> incomplete() {
        return values.incomplete;
    }

    /**
     * Whether the run was stopped before its end: by the callback, by an interrupt, or because the engine was closed.
     *
     * @return true if not everything was compared
     */
    public boolean isStopped() {
        return values.stopped;
    }

    /**
     * How long the run took.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifyReport that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "VerifyReport");
    }

    /** Makes a report. For use by one thread. */
    public static final class Builder {

        private final Map<Stage, Long> checked = new EnumMap<>(Stage.class);
        private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
        private List<Finding> findings = List.of();
        private long repaired;
        private long undecided;
        private long failed;
        private final Set<Stage> unlisted = new TreeSet<>();
        private final Set<Stage> incomplete = new TreeSet<>();
        private boolean stopped;
        private Duration took = Duration.ZERO;

        private Builder() {}

        /**
         * Sets {@link VerifyReport#checked}.
         *
         * @param checked the numbers by stage
         * @return this builder
         */
        public Builder checked(Map<Stage, Long> checked) {
            this.checked.putAll(nonNull("checked", checked));
            return this;
        }

        /**
         * Sets {@link VerifyReport#counts}.
         *
         * @param counts the counts by kind
         * @return this builder
         */
        public Builder counts(Map<FindingKind, Long> counts) {
            this.counts.putAll(nonNull("counts", counts));
            return this;
        }

        /**
         * Sets {@link VerifyReport#findings}.
         *
         * @param findings the first findings
         * @return this builder
         */
        public Builder findings(List<Finding> findings) {
            this.findings = List.copyOf(nonNull("findings", findings));
            return this;
        }

        /**
         * Sets {@link VerifyReport#repaired}.
         *
         * @param repaired the number
         * @return this builder
         */
        public Builder repaired(long repaired) {
            this.repaired = repaired;
            return this;
        }

        /**
         * Sets {@link VerifyReport#undecided}.
         *
         * @param undecided the number
         * @return this builder
         */
        public Builder undecided(long undecided) {
            this.undecided = undecided;
            return this;
        }

        /**
         * Sets {@link VerifyReport#failed}.
         *
         * @param failed the number
         * @return this builder
         */
        public Builder failed(long failed) {
            this.failed = failed;
            return this;
        }

        /**
         * Sets {@link VerifyReport#unlisted}.
         *
         * @param unlisted the stages
         * @return this builder
         */
        public Builder unlisted(Set<Stage> unlisted) {
            this.unlisted.addAll(nonNull("unlisted", unlisted));
            return this;
        }

        /**
         * Sets {@link VerifyReport#incomplete}.
         *
         * @param incomplete the stages
         * @return this builder
         */
        public Builder incomplete(Set<Stage> incomplete) {
            this.incomplete.addAll(nonNull("incomplete", incomplete));
            return this;
        }

        /**
         * Sets {@link VerifyReport#isStopped}.
         *
         * @param stopped whether the run was stopped
         * @return this builder
         */
        public Builder stopped(boolean stopped) {
            this.stopped = stopped;
            return this;
        }

        /**
         * Sets {@link VerifyReport#took}.
         *
         * @param took the time
         * @return this builder
         */
        public Builder took(Duration took) {
            this.took = nonNull("took", took);
            return this;
        }

        /**
         * Makes a report.
         *
         * @return the report
         */
        public VerifyReport build() {
            return new VerifyReport(new Values(
                    Collections.unmodifiableMap(new EnumMap<>(checked)),
                    Collections.unmodifiableMap(new EnumMap<>(counts)),
                    findings,
                    repaired,
                    undecided,
                    failed,
                    Collections.unmodifiableSet(new TreeSet<>(unlisted)),
                    Collections.unmodifiableSet(new TreeSet<>(incomplete)),
                    stopped,
                    took));
        }
    }
}
