package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the kit for buses against broken ones, and against a sound one in the same way. */
@Tag("exhaustive")
class BrokenBusesTest {

    private static final int RUNS_AT_ONCE = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(RUNS_AT_ONCE);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @TestFactory
    @DisplayName("every broken bus fails the test meant for it")
    Stream<DynamicTest> caught() {
        return runs(
                BusMutants.ALL,
                BusMutant::caughtBy,
                (mutant, run) -> assertThat(run.failed()).as("failed tests").containsExactly(mutant.caughtBy()));
    }

    @TestFactory
    @DisplayName("engines survive a bus that loses, repeats, delays or mixes up messages")
    Stream<DynamicTest> enginesSurvive() {
        return runs(BusMutants.UNRELIABLE, mutant -> "Engines.everyPostOnce", (mutant, run) -> {
            assertThat(run.failed())
                    .as("failed tests, which say %s", run.messages())
                    .isEmpty();
            assertThat(run.tests().succeeded().count()).isOne();
        });
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

    /** A test for each bus. They are run side by side, because each mostly waits. */
    private Stream<DynamicTest> runs(
            List<BusMutant> mutants, Function<BusMutant, String> test, BiConsumer<BusMutant, KitRun> check) {
        List<DynamicTest> tests = new ArrayList<>();
        for (BusMutant mutant : mutants) {
            Future<KitRun> run =
                    threads.submit(() -> KitRun.of(BusBench.Buses.class, mutant.name(), test.apply(mutant)));
            tests.add(dynamicTest(mutant.name(), () -> check.accept(mutant, run.get())));
        }
        return tests.stream();
    }
}
