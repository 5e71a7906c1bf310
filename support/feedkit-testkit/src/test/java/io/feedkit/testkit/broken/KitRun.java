package io.feedkit.testkit.broken;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** A finished run of a kit, or of one concept of it. */
record KitRun(Events tests) {

    /** All of a kit against a sound store. */
    static KitRun of(Class<?> kit) {
        return new KitRun(EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(kit))
                .execute()
                .testEvents());
    }

    /** One concept against a broken store; a whole kit would take ten times as long. */
    static KitRun of(Mutant mutant, String concept) {
        return new KitRun(EngineTestKit.engine("junit-jupiter")
                .selectors(select(mutant.kit(), concept))
                .configurationParameter(Bench.MUTANT, mutant.toString())
                .execute()
                .testEvents());
    }

    private static DiscoverySelector select(Class<?> leaf, String concept) {
        for (Class<?> kit = leaf; kit != null; kit = kit.getSuperclass()) {
            for (Class<?> nested : kit.getDeclaredClasses()) {
                if (nested.getSimpleName().equals(concept)) {
                    return selectNestedClass(List.of(leaf), nested);
                }
            }
        }
        throw new IllegalArgumentException(leaf + " has no concept " + concept);
    }

    /** Failed tests as {@code Concept.method}. */
    List<String> failed() {
        return tests.failed().stream()
                .map(Event::getTestDescriptor)
                .map(KitRun::name)
                .distinct()
                .sorted()
                .toList();
    }

    private static String name(TestDescriptor test) {
        MethodSource source = (MethodSource) test.getSource().orElseThrow();
        return source.getJavaClass().getSimpleName() + "." + source.getMethodName();
    }

    /** What the failed tests said. */
    List<String> messages() {
        return tests.failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .map(Throwable::getMessage)
                        .orElse(""))
                .toList();
    }
}
