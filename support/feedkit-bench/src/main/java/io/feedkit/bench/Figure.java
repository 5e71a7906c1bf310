package io.feedkit.bench;

/**
 * One line of a report: what was measured, and the same of something to compare it with, in the same run.
 *
 * @param name what was measured against what
 * @param unit the unit of both numbers
 * @param value what was measured
 * @param baseline the comparison
 * @param target what is to be reached
 */
public record Figure(String name, String unit, double value, double baseline, Target target) {

    static final String COLUMNS = "name | value unit | baseline value | ratio | target | ok or short";

    /** Checks that the line can be read again. */
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
     * @param name what was measured against what
     * @param unit the unit
     * @param medians value and baseline
     * @param target what is to be reached
     * @return the figure
     */
    public static Figure of(String name, String unit, Rounds.Medians medians, Target target) {
        return new Figure(name, unit, medians.value(), medians.baseline(), target);
    }

    /**
     * The value in baselines.
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
