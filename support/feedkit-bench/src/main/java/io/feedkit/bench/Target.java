package io.feedkit.bench;

/** What a figure is to reach. */
public sealed interface Target {

    /** A figure that is only to be known. */
    Target NONE = new None();

    /**
     * Says whether a figure reaches it.
     *
     * @param value what was measured
     * @param baseline what it is compared with
     * @return true if so
     */
    boolean isMet(double value, double baseline);

    /**
     * Says it in a few words.
     *
     * @param unit the figure's unit
     * @return for the report
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
     * So much, whatever the baseline is.
     *
     * @param least the lowest value that will do
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
     * No more than so much, whatever the baseline is.
     *
     * @param most the highest value that will do
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
     * A least multiple of the baseline.
     *
     * @param least the lowest ratio that will do
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
     * A greatest multiple of the baseline.
     *
     * @param most the highest ratio that will do
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
     * A greatest multiple of the baseline, or a greatest value, whichever is larger.
     *
     * @param ratio times the baseline
     * @param most the value that will do in any case
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
