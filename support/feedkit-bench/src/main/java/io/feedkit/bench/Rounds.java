package io.feedkit.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Measures value and baseline alternately, so that other load on the machine affects both, and takes the medians.
 *
 * @param count how many rounds count
 * @param warmUps how many rounds to warm up do not count
 */
public record Rounds(int count, int warmUps) {

    private static final int WARM_UPS = 2;

    /**
     * The medians of all rounds.
     *
     * @param value the median of the value
     * @param baseline the median of the baseline
     */
    public record Medians(double value, double baseline) {}

    /**
     * The rounds of a scale, after two to warm up.
     *
     * @param scale the number of rounds
     * @return the rounds
     */
    public static Rounds of(Scale scale) {
        return new Rounds(scale.rounds(), WARM_UPS);
    }

    /**
     * Measures. Every second round begins with the baseline.
     *
     * @param value measures once
     * @param baseline measures the comparison once
     * @return the medians
     */
    public Medians medians(DoubleSupplier value, DoubleSupplier baseline) {
        List<Double> values = new ArrayList<>();
        List<Double> baselines = new ArrayList<>();
        for (int round = -warmUps; round < count; round++) {
            boolean valueFirst = round % 2 == 0;
            double first = (valueFirst ? value : baseline).getAsDouble();
            double second = (valueFirst ? baseline : value).getAsDouble();
            if (round >= 0) {
                values.add(valueFirst ? first : second);
                baselines.add(valueFirst ? second : first);
            }
        }
        return new Medians(median(values), median(baselines));
    }

    /**
     * The middle value, or the mean of the two middle ones.
     *
     * @param numbers at least one number
     * @return the median
     */
    public static double median(List<Double> numbers) {
        List<Double> sorted = new ArrayList<>(numbers);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
