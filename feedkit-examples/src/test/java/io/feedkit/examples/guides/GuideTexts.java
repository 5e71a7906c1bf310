package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Compares a guide with the tests of what it shows. */
final class GuideTexts {

    private static final Path GUIDES = Path.of("..", "docs", "guides");
    private static final Path TESTS = Path.of("src", "test", "java", "io", "feedkit", "examples", "guides");

    private GuideTexts() {}

    /**
     * Asserts that the Java in a guide is what its tests have between "guide" and "end", in the order of the guide.
     * White space may differ.
     *
     * @param guide the path of the guide, from {@code docs/guides}
     * @param tests the names of the test classes, in the order in which the guide shows them
     */
    static void assertShown(String guide, String... tests) throws IOException {
        List<String> tested = new ArrayList<>();
        for (String test : tests) {
            tested.addAll(blocks(Files.readString(TESTS.resolve(test + ".java")), "// guide\n(.*?)// end\n"));
        }
        assertThat(blocks(Files.readString(GUIDES.resolve(guide)), "```java\n(.*?)```"))
                .isEqualTo(tested);
    }

    /**
     * Gives the first block of a guide in a language.
     *
     * @param guide the path of the guide, from {@code docs/guides}
     * @param language what follows the backquotes that begin the block
     */
    static String block(String guide, String language) throws IOException {
        List<String> blocks = shown(guide, language);
        assertThat(blocks).as("%s has a block of %s", guide, language).isNotEmpty();
        return blocks.get(0);
    }

    /** Gives all blocks of a guide in a language, as {@link #block}. */
    static List<String> shown(String guide, String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(GUIDES.resolve(guide)))
                .results()
                .map(block -> block.group(1).strip())
                .toList();
    }

    private static List<String> blocks(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1).replaceAll("\\s+", ""))
                .toList();
    }
}
