package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the kit for presence stores against broken ones, and against a sound one in the same way. */
class BrokenPresenceTest {

    static final List<PresenceMutant> MUTANTS = PresenceMutants.ALL;

    @ParameterizedTest(name = "{0}")
    @FieldSource("MUTANTS")
    @DisplayName("every broken store fails the test meant for it")
    void caught(PresenceMutant mutant) {
        assertThat(KitRun.of(PresenceBench.Presences.class, mutant.name(), mutant.caughtBy())
                        .failed())
                .as("failed tests")
                .containsExactly(mutant.caughtBy());
    }

    @Test
    @DisplayName("a sound store passes every test, also behind the forwarding decorator")
    void soundPasses() {
        KitRun run = KitRun.of(PresenceBench.Presences.class);
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        run.tests().assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(run.tests().succeeded().count()).as("tests that passed").isGreaterThan(25);
    }

    @Test
    @DisplayName("no two broken stores go by the same name")
    void namesAreUnique() {
        assertThat(MUTANTS).extracting(PresenceMutant::name).doesNotHaveDuplicates();
    }
}
