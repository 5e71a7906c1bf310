package io.feedkit.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The source of the magazine")
class FewLinesTest {

    private static final int MOST_LINES = 25;
    private static final Pattern FEEDKIT =
            Pattern.compile("FeedEngine|FeedPage|PageRequest|Post\\b|Cursor|Reactions|LiveStreams"
                    + "|\\b(feed|likes|streams)\\b[.;, ]|^feedkit\\.");

    @Test
    @DisplayName("has few lines of FeedKit")
    void lines() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
            List<String> ofFeedKit = files.filter(file -> file.toString().matches(".*\\.(java|properties)"))
                    .flatMap(FewLinesTest::lines)
                    .map(String::strip)
                    .filter(line -> !line.matches("(import|package|[*/]).*"))
                    .filter(line -> FEEDKIT.matcher(line).find())
                    .toList();
            assertThat(ofFeedKit).hasSizeBetween(1, MOST_LINES);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
