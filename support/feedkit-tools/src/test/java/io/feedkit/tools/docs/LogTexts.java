package io.feedkit.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The string literals of the published modules' main sources, to check that the log messages in the documentation
 * exist. Literals that are joined by {@code +} count as one.
 */
final class LogTexts {

    private static final List<String> MODULES = List.of(
            "feedkit-core",
            "feedkit-jdbc",
            "feedkit-redis",
            "integrations/feedkit-cassandra",
            "integrations/feedkit-kafka",
            "integrations/feedkit-micrometer",
            "integrations/feedkit-rabbitmq",
            "integrations/feedkit-spring");
    private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private final List<String> literals;

    LogTexts(List<String> literals) {
        this.literals = literals;
    }

    static LogTexts ofModules(Path root) {
        return new LogTexts(MODULES.stream()
                .flatMap(module -> sources(root.resolve(module).resolve("src/main/java")).stream())
                .flatMap(source -> literals(source).stream())
                .toList());
    }

    static List<String> literals(String source) {
        return LITERAL.matcher(JOIN.matcher(source).replaceAll(""))
                .results()
                .map(literal -> literal.group(1))
                .toList();
    }

    private static List<String> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(LogTexts::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The quoted messages of a page's section "Log messages" that no literal has. An ellipsis stands for any words. */
    List<String> missing(Page page) {
        return page.section("Log messages").stream()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1)[1])
                .flatMap(cell -> QUOTED.matcher(cell).results().map(quote -> quote.group(1)))
                .filter(message -> literals.stream().noneMatch(pattern(message).asPredicate()))
                .map(message -> page.path() + ": " + message)
                .toList();
    }

    private static Pattern pattern(String message) {
        return Pattern.compile(Arrays.stream(message.split("…", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    }
}
