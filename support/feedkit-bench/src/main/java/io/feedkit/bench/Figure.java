package io.feedkit.bench;

/**
 * One line of a report: a measured value, and the baseline to compare it with, from the same run.
 *
 * @param name what was measured, and against which baseline
 * @param unit the unit of both numbers
 * @param value the measured value
 * @param baseline the baseline
 * @param target the target
 */
public record Figure(String name, String unit, double value, double baseline, Target target) {

    static final String COLUMNS = "name | value unit | baseline value | ratio | target | ok or short";

    /** Checks that the line can be parsed. */
    public Figure {
        if (name.contains("|") || unit.contains("|")) {
            throw new IllegalArgumentException("name and unit must not contain |, but are " + name + ", " + unit);
        }
        if (!Double.isFinite(value) || !Double.isFinite(baseline) || baseline <= 0) {
            throw new IllegalArgumentException(
                    name + " must have finite numbers and a positive baseline, but has " + value + ", " + baseline);
        }
    }

    /**
     * Makes a figure of a round's medians.
     *
     * @param name what was measured, and against which baseline
     * @param unit the unit
     * @param medians value and baseline
     * @param target the target
     * @return the figure
     */
    public static Figure of(String name, String unit, Rounds.Medians medians, Target target) {
        return new Figure(name, unit, medians.value(), medians.baseline(), target);
    }

    /**
     * The value as a multiple of the baseline.
     *
     * @return the ratio
     */
    public double ratio() {
        return value / baseline;
    }

    boolean isOk() {
        return target.isMet(value, baseline);
    }

    String line() {
        return String.join(
                " | ",
                name,
                Numbers.text(value) + " " + unit,
                Numbers.text(baseline),
                Numbers.text(ratio()),
                target.text(unit),
                isOk() ? "ok" : "short");
    }
}
