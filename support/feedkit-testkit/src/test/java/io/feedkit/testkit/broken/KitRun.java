package io.feedkit.testkit.broken;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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

    /** All of a kit against a mutant. */
    static KitRun of(Class<?> kit, String mutant) {
        return new KitRun(EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(kit))
                .configurationParameter(Bench.MUTANT, mutant)
                .execute()
                .testEvents());
    }

    /** One test, named as {@code Concept.method}, against a broken store. */
    static KitRun of(Mutant mutant, String test) {
        return of(mutant.kit(), mutant.toString(), test);
    }

    /** One test of a kit, named as {@code Concept.method}, against a mutant. */
    static KitRun of(Class<?> kit, String mutant, String test) {
        return new KitRun(EngineTestKit.engine("junit-jupiter")
                .selectors(select(kit, test))
                .configurationParameter(Bench.MUTANT, mutant)
                .execute()
                .testEvents());
    }

    private static DiscoverySelector select(Class<?> leaf, String test) {
        int dot = test.indexOf('.');
        Class<?> concept = ancestors(leaf)
                .flatMap(kit -> Arrays.stream(kit.getDeclaredClasses()))
                .filter(nested -> nested.getSimpleName().equals(test.substring(0, dot)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(leaf + " has no concept of " + test));
        return ancestors(concept)
                .flatMap(rules -> Arrays.stream(rules.getDeclaredMethods()))
                .filter(method -> method.getName().equals(test.substring(dot + 1)))
                .findFirst()
                .map(method -> selectNestedMethod(List.of(leaf), concept, method))
                .orElseThrow(() -> new IllegalArgumentException(leaf + " has no test " + test));
    }

    private static Stream<Class<?>> ancestors(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass);
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
