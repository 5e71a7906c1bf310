package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Compares a guide with the test of what it shows. */
final class GuideTexts {

    private GuideTexts() {}

    /** Asserts that the Java in a guide is what its test has between "guide" and "end". */
    static void assertShown(String guide, String test) throws IOException {
        String text = Files.readString(Path.of("..", "docs", "guides", guide));
        String source =
                Files.readString(Path.of("src", "test", "java", "io", "feedkit", "examples", "guides", test + ".java"));
        assertThat(blocks(text, "```java\n(.*?)```")).isEqualTo(blocks(source, "// guide\n(.*?)// end\n"));
    }

    private static List<String> blocks(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1).strip().replaceAll("\\s+", " "))
                .toList();
    }
}
