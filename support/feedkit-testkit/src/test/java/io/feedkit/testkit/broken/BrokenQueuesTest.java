package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the kit for queues against broken ones, and against sound ones in the same way. */
class BrokenQueuesTest {

    static final List<QueueMutant> BROKEN = QueueMutants.ALL.stream()
            .filter(mutant -> !mutant.caughtBy().isEmpty())
            .toList();
    static final List<QueueMutant> LEGAL = QueueMutants.ALL.stream()
            .filter(mutant -> mutant.caughtBy().isEmpty())
            .toList();

    private static void passes(KitRun run) {
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        run.tests().assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(run.tests().succeeded().count()).as("tests that passed").isGreaterThan(30);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BROKEN")
    @DisplayName("every broken queue fails the test meant for it")
    void caught(QueueMutant mutant) {
        assertThat(KitRun.of(QueueBench.Queues.class, mutant.name(), mutant.caughtBy())
                        .failed())
                .as("failed tests")
                .containsExactly(mutant.caughtBy());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("LEGAL")
    @DisplayName("a queue that does only what is allowed passes every test")
    void legalPasses(QueueMutant mutant) {
        passes(KitRun.of(QueueBench.Queues.class, mutant.name()));
    }

    @Test
    @DisplayName("a sound queue passes every test, also behind the forwarding decorator")
    void soundPasses() {
        passes(KitRun.of(QueueBench.Queues.class));
    }

    @Test
    @DisplayName("no two queues go by the same name")
    void namesAreUnique() {
        assertThat(QueueMutants.ALL).extracting(QueueMutant::name).doesNotHaveDuplicates();
    }
}
