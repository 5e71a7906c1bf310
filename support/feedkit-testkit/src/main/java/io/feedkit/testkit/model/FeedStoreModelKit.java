package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.SettableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random operations on two engines with one store, compared with an {@linkplain io.feedkit.testkit.oracle.OracleFeed
 * oracle}. Operations are publishes, deletes, follows, reads with kept cursors, changes of policy and evictions. Clocks
 * jump, and engines' clocks are set back. Calls fail, and processes die. Operations also run in the middle of other
 * operations, of the same engine or the other one. In some runs the follow graph is the host's own. Every read is
 * checked against the posts that it must and may show. At the end, when all tasks are done, every feed must equal the
 * oracle's.
 *
 * <p>A run depends on its seed alone, and uses one thread. A failing run is shortened while it still fails, and printed
 * with its seed. A backend binds the kit to its store in a few lines:
 *
 * <pre>{@code
 * class AcmeModelTest extends FeedStoreModelKit {
 *     protected FeedStore emptyStore(SettableClock clock) {
 *         return AcmeStore.empty(clock);
 *     }
 * }
 * }</pre>
 *
 * <p>{@code -Dfeedkit.model.seeds=10000} makes more runs, {@code -Dfeedkit.model.firstSeed=42} begins with another
 * seed, {@code -Dfeedkit.model.steps=300} makes runs longer. An {@link Exhaustive} test continues after the last of
 * these seeds.
 *
 * @since 0.1.0
 */
public abstract class FeedStoreModelKit {

    /** The time at which every run's clock starts. */
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** For leaf tests. */
    protected FeedStoreModelKit() {}

    /**
     * Creates an empty store. It is called for every run, so it should be quick.
     *
     * @param clock the clock that the store is to measure leases and live windows by
     * @return an empty store with a writable follow graph
     */
    protected abstract FeedStore emptyStore(SettableClock clock);

    /**
     * How many runs are made.
     *
     * @return the system property {@code feedkit.model.seeds}, or 300
     */
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 300);
    }

    /**
     * How many further runs the {@link Exhaustive} test makes.
     *
     * @return the system property {@code feedkit.model.moreSeeds}, or 1200
     */
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 1200);
    }

    /**
     * The seed of the first run; each further run has the next seed.
     *
     * @return the system property {@code feedkit.model.firstSeed}, or 1
     */
    protected long firstSeed() {
        return Long.getLong("feedkit.model.firstSeed", 1);
    }

    /**
     * How many steps a run has.
     *
     * @return the system property {@code feedkit.model.steps}, or 80
     */
    protected int steps() {
        return Integer.getInteger("feedkit.model.steps", 80);
    }

    /** The settings of a run, instead of random ones. */
    ModelSettings settings(ModelSettings random) {
        return random;
    }

    /** Sets further settings of the engines of a run. It is called for every run. */
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return UnaryOperator.identity();
    }

    @Test
    @DisplayName("After random operations in random order, every feed equals the oracle's")
    void everyFeedIsTheOracles() {
        runAll(firstSeed(), seeds());
    }

    @Exhaustive
    @Test
    @DisplayName("After random operations in random order, every feed equals the oracle's, with more seeds")
    void everyFeedIsTheOraclesWithMoreSeeds() {
        runAll(firstSeed() + seeds(), moreSeeds());
    }

    private void runAll(long first, int count) {
        for (long seed = first; seed < first + count; seed++) {
            Random random = new Random(seed);
            ModelSettings settings = settings(ModelSettings.random(random));
            List<Step> steps = new StepGenerator(random).steps(steps());
            Optional<Throwable> failure = run(settings, steps);
            if (failure.isPresent()) {
                List<Step> shortest = new ShortestFailure(fewer -> run(settings, fewer)).of(steps);
                throw new AssertionError(
                        report(seed, settings, shortest),
                        run(settings, shortest).orElse(failure.get()));
            }
        }
    }

    private Optional<Throwable> run(ModelSettings settings, List<Step> steps) {
        SettableClock clock = SettableClock.startingAt(START);
        try {
            ModelRun run = new ModelRun(emptyStore(clock), clock, settings, with(clock));
            List<Step> settled = new ArrayList<>(steps);
            settled.add(new Step.Settle());
            run.run(settled);
            return Optional.empty();
        } catch (RuntimeException | Error failure) {
            return Optional.of(failure);
        }
    }

    private static String report(long seed, ModelSettings settings, List<Step> shortest) {
        return "seed " + seed + " fails; the shortest failing run has " + shortest.size() + " steps, with " + settings
                + ":\n  " + shortest.stream().map(Step::toString).collect(Collectors.joining("\n  "));
    }
}
