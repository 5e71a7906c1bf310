package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the kits against broken stores, and against a sound one in the same way. */
class BrokenStoresTest {

    static final List<Mutant> MUTANTS = Mutants.ALL;
    static final List<Class<?>> KITS = Leaves.ALL;

    @ParameterizedTest(name = "{0}")
    @FieldSource("MUTANTS")
    @DisplayName("every broken store fails the test meant for it")
    void caught(Mutant mutant) {
        assertThat(KitRun.of(mutant, mutant.caughtBy()).failed())
                .as("failed tests")
                .containsExactly(mutant.caughtBy());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("KITS")
    @DisplayName("a sound store passes every test, also behind the forwarding decorators")
    void soundPasses(Class<?> kit) {
        KitRun run = KitRun.of(kit);
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        run.tests().assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(run.tests().succeeded().count()).as("tests that passed").isGreaterThan(10);
    }

    @Test
    @DisplayName("no two mutants go by the same name")
    void namesAreUnique() {
        assertThat(MUTANTS).extracting(Mutant::toString).doesNotHaveDuplicates();
    }
}
