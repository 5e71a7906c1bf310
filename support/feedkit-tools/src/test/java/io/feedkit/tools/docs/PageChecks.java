package io.feedkit.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The rules for pages of documentation. Each returns its violations. */
final class PageChecks {

    static final int LONGEST_LINE = 140;
    static final int LONGEST_SENTENCE = 35;

    /** Phrases that the style replaces. */
    private static final Pattern REPLACED = Pattern.compile(
            "\\b(whoever|tells of|hears of|heard of|so that nobody|nobody may|what waits|the way of an?|mend(s|ed|ing)?"
                    + "|works? off|without a word|goes on by itself|begins? again)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+(?=[\\p{Lu}`\"(])");

    private final Function<Path, Optional<Page>> pages;

    /**
     * Rules for pages that link to each other.
     *
     * @param pages finds a page by its path from the project's root
     */
    PageChecks(Function<Path, Optional<Page>> pages) {
        this.pages = pages;
    }

    static List<String> tooManyWords(Page page, int most) {
        return page.words() <= most
                ? List.of()
                : List.of(page.path() + " has " + page.words() + " words, and may have " + most);
    }

    /** Lines of tables, code and links may be long. */
    static List<String> longLines(Page page) {
        List<String> found = new ArrayList<>();
        boolean code = false;
        for (String line : page.source().lines().toList()) {
            code ^= line.strip().startsWith("```");
            if (!code && line.length() > LONGEST_LINE && !line.startsWith("|") && !line.contains("](")) {
                found.add(page.path() + ": a line has " + line.length() + " characters: " + line.substring(0, 60));
            }
        }
        return found;
    }

    static List<String> longSentences(Page page) {
        List<String> found = new ArrayList<>();
        for (String paragraph : page.paragraphs()) {
            for (String sentence : SENTENCE_END.split(paragraph, -1)) {
                int words = sentence.strip().split("\\s+", -1).length;
                if (words > LONGEST_SENTENCE) {
                    found.add(page.path() + ": a sentence has " + words + " words: " + sentence);
                }
            }
        }
        return found;
    }

    static List<String> replacedPhrases(Page page) {
        return page.source()
                .lines()
                .flatMap(line -> REPLACED.matcher(line)
                        .results()
                        .map(phrase -> page.path() + ": \"" + phrase.group() + "\" in: " + line.strip()))
                .toList();
    }

    /** Lines that Git left between two versions of a text. */
    static List<String> mergeConflicts(Page page) {
        return page.source()
                .lines()
                .filter(line -> line.matches("(<{7}|={7}|>{7})( .*)?"))
                .map(line -> page.path() + ": " + line)
                .toList();
    }

    /** Tables whose rows have other numbers of cells than their header, and rows that are in no table. */
    static List<String> brokenTables(Page page) {
        List<String> found = new ArrayList<>();
        for (String paragraph : page.paragraphs()) {
            if (paragraph.startsWith("|")) {
                found.add(page.path() + ": a row is in no table: " + paragraph);
            }
        }
        String header = "";
        boolean code = false;
        for (String line : page.source().lines().toList()) {
            code ^= line.strip().startsWith("```");
            if (code || !line.startsWith("|")) {
                header = "";
            } else if (header.isEmpty()) {
                header = line;
            } else if (cells(line) != cells(header)) {
                found.add(page.path() + ": a row has " + cells(line) + " cells, and its header " + cells(header) + ": "
                        + line);
            }
        }
        return found;
    }

    private static int cells(String row) {
        String bare = row.strip().replace("\\|", "").replaceAll("`[^`]*`", "");
        return bare.length() - bare.replace("|", "").length();
    }

    List<String> deadLinks(Page page) {
        List<String> found = new ArrayList<>();
        for (String link : page.links()) {
            if (!link.matches("[a-z]+:.*") && !isAlive(page, link)) {
                found.add(page.path() + ": dead link " + link);
            }
        }
        return found;
    }

    private boolean isAlive(Page page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path own = Path.of(page.path());
        Path target = file.isEmpty()
                ? own
                : Optional.ofNullable(own.getParent())
                        .orElse(Path.of(""))
                        .resolve(file)
                        .normalize();
        Optional<Page> linked = file.isEmpty() ? Optional.of(page) : pages.apply(target);
        return linked.isPresent() && (hash < 0 || linked.get().anchors().contains(link.substring(hash + 1)));
    }

    /** A page or another file of the project; a folder counts as an empty page. */
    static Optional<Page> read(Path root, Path path) {
        Path file = root.resolve(path);
        try {
            return Files.isRegularFile(file) && path.toString().endsWith(".md")
                    ? Optional.of(new Page(path.toString().replace('\\', '/'), Files.readString(file)))
                    : Files.exists(file) ? Optional.of(new Page(path.toString(), "")) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The most words of each page, by the beginning of its path. */
    static Map<String, Integer> budgets() {
        return Map.ofEntries(
                Map.entry("README.md", 900),
                Map.entry("SECURITY.md", 400),
                Map.entry("llms.txt", 300),
                Map.entry("docs/getting-started.md", 1000),
                Map.entry("docs/concepts.md", 900),
                Map.entry("docs/choosing.md", 700),
                Map.entry("docs/guarantees.md", 1000),
                Map.entry("docs/operations.md", 1300),
                Map.entry("docs/performance.md", 1200),
                Map.entry("docs/writing-a-store.md", 900),
                Map.entry("docs/architecture.md", 1300),
                Map.entry("docs/guides/spring-boot.md", 600),
                Map.entry("docs/guides/unread.md", 900),
                Map.entry("docs/guides/brokers-and-events.md", 900));
    }
}
