package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the kit for copies of inboxes against broken stores, and against a sound one in the same way. */
class BrokenCopiesTest {

    static final List<CopiesMutant> MUTANTS = CopiesMutants.ALL;

    @ParameterizedTest(name = "{0}")
    @FieldSource("MUTANTS")
    @DisplayName("every broken store fails the test meant for it")
    void caught(CopiesMutant mutant) {
        assertThat(KitRun.of(CopiesBench.Copies.class, mutant.name(), mutant.caughtBy())
                        .failed())
                .as("failed tests")
                .containsExactly(mutant.caughtBy());
    }

    @Test
    @DisplayName("a sound store passes every test")
    void soundPasses() {
        KitRun run = KitRun.of(CopiesBench.Copies.class);
        assertThat(run.failed())
                .as("failed tests, which say %s", run.messages())
                .isEmpty();
        run.tests().assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(run.tests().succeeded().count()).as("tests that passed").isGreaterThan(12);
    }

    @Test
    @DisplayName("every test of the kit fails some broken store")
    void everyTestIsNeeded() {
        List<String> needed =
                MUTANTS.stream().map(CopiesMutant::caughtBy).distinct().toList();
        assertThat(needed)
                .contains(
                        "Owner.foreign",
                        "Owner.race",
                        "Copies.unpublished",
                        "Copies.bytesOfAllSizes",
                        "Copies.replaced",
                        "Copies.tokensApart",
                        "Copies.readersApart",
                        "Copies.lostParts",
                        "Copies.withoutParts",
                        "Copies.repeated",
                        "Copies.manyReaders",
                        "Copies.expire",
                        "Copies.dropped",
                        "Races.twoCopiers",
                        "Races.readWhileWritten");
    }

    @Test
    @DisplayName("no two broken stores go by the same name")
    void namesAreUnique() {
        assertThat(MUTANTS).extracting(CopiesMutant::name).doesNotHaveDuplicates();
    }
}
