package io.feedkit.testkit.internal.inbox;

import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.Shrinking;
import io.feedkit.testkit.internal.inbox.InboxModel.InboxBounds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random sequences of operations, side by side with a model. */
public abstract class InboxRandomRules extends InboxRules {

    private static final int STEPS = 150;

    private int runs;

    protected InboxRandomRules(InboxKit kit) {
        super(kit);
    }

    @ParameterizedTest(name = "with a cap of {0}")
    @ValueSource(ints = {1, 3, 8, 24})
    @DisplayName("any sequence of operations gives the answers of the model")
    void sameAsModel(int cap) {
        compare(cap, 0, kit.randomSequences());
    }

    @Exhaustive
    @ParameterizedTest(name = "with a cap of {0}")
    @ValueSource(ints = {1, 3, 8, 24})
    @DisplayName("any sequence of operations gives the answers of the model, in more sequences")
    void sameAsModelInMoreSequences(int cap) {
        compare(cap, kit.randomSequences(), kit.moreRandomSequences());
    }

    private void compare(int cap, int first, int count) {
        for (int i = first; i < first + count; i++) {
            long seed = kit.randomSeed() + i;
            List<InboxStep> steps = InboxStep.random(new Random(seed), STEPS, !kit.waits());
            failureOf(cap, steps).ifPresent(failure -> {
                throw explained(seed, cap, steps, failure);
            });
        }
    }

    /** Runs a sequence for a reader of its own. */
    private Optional<Throwable> failureOf(int cap, List<InboxStep> steps) {
        Duration window = kit.waits() ? Duration.ofDays(7) : InboxStep.LIVE_WINDOW;
        InboxLimits limits = new InboxLimits(cap, window.toMillis());
        InboxBounds bounds = new InboxBounds(cap, limits.stored(), window.toMillis(), InboxStep.LEASE.toMillis());
        String reader = "random-" + runs++;
        InboxRun run = new InboxRun(kit, view(cap, window), new InboxModel(bounds), reader);
        try {
            steps.forEach(run::step);
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(e);
        }
    }

    private AssertionError explained(long seed, int cap, List<InboxStep> steps, Throwable failure) {
        List<InboxStep> shortest =
                Shrinking.shortest(steps, fewer -> failureOf(cap, fewer).isPresent());
        Throwable shown = failureOf(cap, shortest).orElse(failure);
        StringBuilder text = new StringBuilder("seed " + seed + ", cap " + cap + ", shortest failing sequence:");
        shortest.forEach(step -> text.append("\n    ").append(step));
        return new AssertionError(text.append('\n').append(shown.getMessage()).toString(), shown);
    }
}
