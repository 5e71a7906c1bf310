package io.feedkit.bench;

/** The target of a figure. */
public sealed interface Target {

    /** A figure without a target. */
    Target NONE = new None();

    /**
     * Returns whether a figure reaches the target.
     *
     * @param value the measured value
     * @param baseline the baseline
     * @return true if it does
     */
    boolean isMet(double value, double baseline);

    /**
     * Describes the target in a few words.
     *
     * @param unit the figure's unit
     * @return the text for the report
     */
    String text(String unit);

    /** No target. */
    record None() implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return true;
        }

        @Override
        public String text(String unit) {
            return "none";
        }
    }

    /**
     * A lowest value, independent of the baseline.
     *
     * @param least the lowest value that meets the target
     */
    record AtLeast(double least) implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return value >= least;
        }

        @Override
        public String text(String unit) {
            return ">= " + Numbers.text(least) + " " + unit;
        }
    }

    /**
     * A highest value, independent of the baseline.
     *
     * @param most the highest value that meets the target
     */
    record AtMost(double most) implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return value <= most;
        }

        @Override
        public String text(String unit) {
            return "<= " + Numbers.text(most) + " " + unit;
        }
    }

    /**
     * A lowest multiple of the baseline.
     *
     * @param least the lowest ratio that meets the target
     */
    record RatioAtLeast(double least) implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return value >= least * baseline;
        }

        @Override
        public String text(String unit) {
            return "ratio >= " + Numbers.text(least);
        }
    }

    /**
     * A highest multiple of the baseline.
     *
     * @param most the highest ratio that meets the target
     */
    record RatioAtMost(double most) implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return value <= most * baseline;
        }

        @Override
        public String text(String unit) {
            return "ratio <= " + Numbers.text(most);
        }
    }

    /**
     * A highest multiple of the baseline, or a highest value, whichever is larger.
     *
     * @param ratio the multiple of the baseline
     * @param most a value that always meets the target
     */
    record AtMostLarger(double ratio, double most) implements Target {
        @Override
        public boolean isMet(double value, double baseline) {
            return value <= Math.max(ratio * baseline, most);
        }

        @Override
        public String text(String unit) {
            return "<= larger of " + Numbers.text(ratio) + "x and " + Numbers.text(most) + " " + unit;
        }
    }
}
