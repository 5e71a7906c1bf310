package io.feedkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

@DisplayName("The table of behaviours")
class BehavioursTableTest {

    private static final int BEHAVIOURS = 87;
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern NUMBERS = Pattern.compile("(\\d+(?:, \\d+)*): \\S.*");
    private static final String LEFT_OUT = "left out: ";

    private final Map<Integer, String> rows = rows();
    private final Map<Integer, Set<String>> tests = tests();

    private static Map<Integer, String> rows() {
        Path table = Path.of("").toAbsolutePath();
        while (!Files.exists(table.resolve("docs/reference/behaviours.md"))) {
            table = table.getParent();
        }
        Map<Integer, String> rows = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(table.resolve("docs/reference/behaviours.md"), UTF_8)) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    assertThat(rows.put(Integer.valueOf(row.group(1)), row.group(3)))
                            .as("row %s is there twice", row.group(1))
                            .isNull();
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return rows;
    }

    /** For each number the simple names of the classes with tests whose names begin with it. */
    private static Map<Integer, Set<String>> tests() {
        Map<Integer, Set<String>> tests = new TreeMap<>();
        Stream<Class<?>> chapters = Arrays.<Class<?>>stream(FeedStoreCompatibilityKit.class.getDeclaredClasses())
                .filter(nested -> nested.isAnnotationPresent(Nested.class))
                .map(Class::getSuperclass);
        Stream.concat(chapters, Stream.of(SeparateStoresTest.class)).forEach(type -> {
            for (Method method : type.getDeclaredMethods()) {
                boolean test =
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class);
                DisplayName name = method.getAnnotation(DisplayName.class);
                if (test && name != null) {
                    numbers(name.value())
                            .forEach(number -> tests.computeIfAbsent(number, key -> new TreeSet<>())
                                    .add(type.getSimpleName()));
                }
            }
        });
        return tests;
    }

    private static List<Integer> numbers(String displayName) {
        Matcher matcher = NUMBERS.matcher(displayName);
        List<Integer> numbers = new ArrayList<>();
        if (matcher.matches()) {
            for (String number : matcher.group(1).split(", ", -1)) {
                numbers.add(Integer.valueOf(number));
            }
        }
        return numbers;
    }

    @Test
    @DisplayName("has a row for each behaviour, in order")
    void rowForEach() {
        assertThat(rows.keySet())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, BEHAVIOURS).boxed().toList());
    }

    @Test
    @DisplayName("names for each behaviour the classes that test it, and no others, or gives a reason")
    void testsExist() {
        rows.forEach((number, where) -> {
            if (where.startsWith(LEFT_OUT)) {
                assertThat(where).hasSizeGreaterThan(LEFT_OUT.length() + 5);
                assertThat(tests).as("tests of %d, which is left out", number).doesNotContainKey(number);
            } else {
                assertThat(new TreeSet<>(List.of(where.split(", ", -1))))
                        .as("where %d is tested", number)
                        .isEqualTo(tests.get(number));
            }
        });
    }

    @Test
    @DisplayName("knows of every number that a test's name begins with")
    void numbersExist() {
        assertThat(tests.keySet()).isSubsetOf(rows.keySet());
        assertThat(tests.values().stream().mapToInt(Set::size).sum()).isGreaterThan(70);
    }
}
