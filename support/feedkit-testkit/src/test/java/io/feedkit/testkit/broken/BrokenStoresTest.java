package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Runs the kits against broken stores, and against a sound one in the same way. */
class BrokenStoresTest {

    static final List<Mutant> MUTANTS = Mutants.ALL;
    static final List<Class<?>> KITS = Leaves.ALL;

    @ParameterizedTest(name = "{0}")
    @FieldSource("MUTANTS")
    @DisplayName("every broken store fails the test meant for it")
    void caught(Mutant mutant) {
        Events tests = run(concept(mutant), Optional.of(mutant));
        assertThat(failed(tests)).as("failed tests").contains(mutant.caughtBy());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("KITS")
    @DisplayName("a sound store passes every test")
    void soundPasses(Class<?> kit) {
        Events tests = run(selectClass(kit), Optional.empty());
        assertThat(failed(tests)).as("failed tests").isEmpty();
        tests.assertStatistics(statistics -> statistics.skipped(0).aborted(0));
        assertThat(tests.succeeded().count()).as("tests that passed").isGreaterThan(10);
    }

    private static Events run(DiscoverySelector tests, Optional<Mutant> mutant) {
        EngineTestKit.Builder builder = EngineTestKit.engine("junit-jupiter").selectors(tests);
        mutant.ifPresent(present -> builder.configurationParameter(Bench.MUTANT, present.toString()));
        return builder.execute().testEvents();
    }

    /** The part of the kit in which the mutant is to be caught; all of it would take ten times as long. */
    private static DiscoverySelector concept(Mutant mutant) {
        String name = mutant.caughtBy().substring(0, mutant.caughtBy().indexOf('.'));
        for (Class<?> kit = mutant.kit(); kit != null; kit = kit.getSuperclass()) {
            for (Class<?> nested : kit.getDeclaredClasses()) {
                if (nested.getSimpleName().equals(name)) {
                    return selectNestedClass(List.of(mutant.kit()), nested);
                }
            }
        }
        throw new IllegalArgumentException("no kit has a concept " + name);
    }

    /** Failed tests as {@code NestedClass.method}. */
    private static NavigableSet<String> failed(Events tests) {
        NavigableSet<String> failed = new TreeSet<>();
        tests.failed().stream()
                .map(Event::getTestDescriptor)
                .map(BrokenStoresTest::name)
                .forEach(failed::add);
        return failed;
    }

    private static String name(TestDescriptor test) {
        MethodSource source = (MethodSource) test.getSource().orElseThrow();
        return source.getJavaClass().getSimpleName() + "." + source.getMethodName();
    }
}
