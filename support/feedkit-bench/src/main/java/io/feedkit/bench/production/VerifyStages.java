package io.feedkit.bench.production;

import io.feedkit.verify.VerifyProgress;
import io.feedkit.verify.VerifyProgress.Stage;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Watches a run: how many things each stage compared, how long it took and what it cost. Work that is done between two
 * comparisons does not count as time of the stage. Used by one thread.
 */
final class VerifyStages implements Predicate<VerifyProgress> {

    private static final double NANOS_A_SECOND = 1e9;
    private static final double PERCENT = 100;

    /** What one stage did. */
    record Done(long checked, double seconds, Costs costs) {

        double perSecond() {
            return checked / seconds;
        }

        double perSecond(double cost) {
            return cost / seconds;
        }

        double percent(double cpuSeconds) {
            return PERCENT * cpuSeconds / seconds;
        }
    }

    private final Supplier<Costs> costs;
    private final Predicate<VerifyProgress> between;
    private final Map<Stage, Done> done = new EnumMap<>(Stage.class);
    private long since;
    private Costs before = Costs.NONE;

    /** @param between is called about once a second, and at the beginning and the end of each stage */
    VerifyStages(Supplier<Costs> costs, Predicate<VerifyProgress> between) {
        this.costs = costs;
        this.between = between;
    }

    @Override
    public boolean test(VerifyProgress progress) {
        double seconds = (System.nanoTime() - since) / NANOS_A_SECOND;
        Stage stage = progress.stage();
        Done earlier = done.get(stage);
        done.put(
                stage,
                earlier == null
                        ? new Done(0, 0, Costs.NONE)
                        : new Done(
                                progress.checked(),
                                earlier.seconds() + seconds,
                                earlier.costs().plus(costs.get().since(before))));
        boolean goesOn = between.test(progress);
        before = costs.get();
        since = System.nanoTime();
        return goesOn;
    }

    Done of(Stage stage) {
        Done found = done.get(stage);
        if (found == null) {
            throw new IllegalStateException("the stage " + stage + " must have ended");
        }
        return found;
    }
}
