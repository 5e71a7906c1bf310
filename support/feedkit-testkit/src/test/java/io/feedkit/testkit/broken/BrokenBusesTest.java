package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the kit for buses against broken ones, and against a sound one in the same way. */
@Tag("exhaustive")
class BrokenBusesTest {

    static final List<BusMutant> BROKEN = BusMutants.ALL;
    static final List<BusMutant> UNRELIABLE = BusMutants.UNRELIABLE;

    @ParameterizedTest(name = "{0}")
    @FieldSource("BROKEN")
    @DisplayName("every broken bus fails the test meant for it")
    void caught(BusMutant mutant) {
        assertThat(KitRun.of(BusBench.Buses.class, mutant.name(), mutant.caughtBy())
                        .failed())
                .as("failed tests")
                .containsExactly(mutant.caughtBy());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("UNRELIABLE")
    @DisplayName("engines survive a bus that loses, repeats, delays or mixes up messages")
    void enginesSurvive(BusMutant mutant) {
        KitRun run = KitRun.of(BusBench.Buses.class, mutant.name(), "Engines.everyPostOnce");
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        assertThat(run.tests().succeeded().count()).isOne();
    }

    @Test
    @DisplayName("a sound bus passes every test, also behind the forwarding decorator")
    void soundPasses() {
        KitRun run = KitRun.of(BusBench.Buses.class);
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        run.tests().assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(run.tests().succeeded().count()).as("tests that passed").isGreaterThan(15);
    }

    @Test
    @DisplayName("no two buses go by the same name")
    void namesAreUnique() {
        assertThat(BusMutants.ALL).extracting(BusMutant::name).doesNotHaveDuplicates();
    }
}
