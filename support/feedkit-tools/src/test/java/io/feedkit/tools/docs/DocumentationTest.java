package io.feedkit.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The documentation")
class DocumentationTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final int MOST_WORDS = 15_000;
    private static final int GUIDE = 500;
    private static final int DECISION = 200;
    private static final int MOST_LINES_OF_EXAMPLE = 150;

    private static final PageChecks CHECKS = new PageChecks(path -> PageChecks.read(ROOT, path));

    private static List<Page> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            docs.filter(path -> path.toString().endsWith(".md")))
                    .map(path -> PageChecks.read(ROOT, ROOT.relativize(path)).orElseThrow())
                    .toList();
        }
    }

    private static boolean isBudgeted(Page page) {
        return page.path().equals("README.md")
                || (page.path().startsWith("docs/")
                        && !page.path().startsWith("docs/reference/")
                        && !page.path().startsWith("docs/decisions/"));
    }

    private static List<String> violations(Function<Page, List<String>> rule) throws IOException {
        return pages().stream().flatMap(page -> rule.apply(page).stream()).toList();
    }

    @Test
    @DisplayName("keeps within the words of each page, and of all together")
    void words() throws IOException {
        assertThat(violations(page -> PageChecks.tooManyWords(page, most(page))))
                .isEmpty();
        assertThat(pages().stream()
                        .filter(DocumentationTest::isBudgeted)
                        .mapToInt(Page::words)
                        .sum())
                .isLessThanOrEqualTo(MOST_WORDS);
    }

    private static int most(Page page) {
        return Optional.ofNullable(PageChecks.budgets().get(page.path()))
                .orElseGet(() -> page.path().startsWith("docs/guides/")
                        ? GUIDE
                        : page.path().matches("docs/decisions/\\d.*") ? DECISION : Integer.MAX_VALUE);
    }

    @Test
    @DisplayName("has no long lines, and no long sentences")
    void length() throws IOException {
        assertThat(violations(PageChecks::longLines)).isEmpty();
        assertThat(violations(PageChecks::longSentences)).isEmpty();
    }

    @Test
    @DisplayName("has tables that render, and links that lead somewhere")
    void tablesAndLinks() throws IOException {
        assertThat(violations(PageChecks::brokenTables)).isEmpty();
        assertThat(violations(CHECKS::deadLinks)).isEmpty();
    }

    @Test
    @DisplayName("has none of the phrases that the style replaces")
    void phrases() throws IOException {
        assertThat(violations(PageChecks::replacedPhrases)).isEmpty();
    }

    @Test
    @DisplayName("has no marks of a merge conflict")
    void conflicts() throws IOException {
        assertThat(violations(PageChecks::mergeConflicts)).isEmpty();
    }

    @Test
    @DisplayName("quotes only log messages that the code has")
    void logMessages() throws IOException {
        assertThat(violations(LogTexts.ofModules(ROOT)::missing)).isEmpty();
    }

    @Test
    @DisplayName("has examples that fit on a few screens")
    void examples() throws IOException {
        try (Stream<Path> tour = Files.walk(ROOT.resolve("feedkit-examples/src"));
                Stream<Path> spring = Files.walk(ROOT.resolve("feedkit-examples/spring-boot/src"))) {
            List<Path> sources = Stream.concat(tour, spring)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
            assertThat(sources)
                    .isNotEmpty()
                    .allSatisfy(source -> assertThat(Files.readAllLines(source))
                            .as("lines of %s", source)
                            .hasSizeLessThanOrEqualTo(MOST_LINES_OF_EXAMPLE));
        }
    }

    private static Page page(String source) {
        return new Page("docs/page.md", source);
    }

    @Test
    @DisplayName("fails each rule that it breaks")
    void rules() {
        PageChecks checks = new PageChecks(path -> Path.of("docs/other.md").equals(path)
                ? Optional.of(new Page("docs/other.md", "# A title, twice\n\n## A title, twice\n"))
                : Optional.empty());
        assertThat(PageChecks.tooManyWords(page("one two three"), 2)).hasSize(1);
        assertThat(PageChecks.tooManyWords(page("one two three"), 3)).isEmpty();
        assertThat(PageChecks.longLines(page("x".repeat(141)))).hasSize(1);
        assertThat(PageChecks.longLines(page("```\n" + "x".repeat(141) + "\n```\n" + "x".repeat(140))))
                .isEmpty();
        assertThat(PageChecks.longSentences(page("word ".repeat(36) + "end."))).hasSize(1);
        assertThat(PageChecks.longSentences(page("word ".repeat(30) + "end. " + "Word ".repeat(30) + "end.")))
                .isEmpty();
        assertThat(PageChecks.mergeConflicts(page("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")))
                .hasSize(3);
        assertThat(PageChecks.brokenTables(page("| a | b |\n|---|---|\n| 1 |\n")))
                .hasSize(1);
        assertThat(PageChecks.brokenTables(page("| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n")))
                .hasSize(1);
        assertThat(PageChecks.brokenTables(page("| a | b |\n|---|---|\n| `x|y` | 2 |\n")))
                .isEmpty();
        assertThat(checks.deadLinks(page("[a](gone.md) [b](other.md#no) [c](#nowhere)")))
                .hasSize(3);
        assertThat(checks.deadLinks(page("# Here\n[a](other.md) [b](other.md#a-title-twice-1) [c](#here)")))
                .isEmpty();
    }

    @Test
    @DisplayName("fails with a log message that no code has")
    void absentMessage() {
        LogTexts texts = new LogTexts(LogTexts.literals("log.warn(\"{}: round failed; \"\n    + \"it continues\");"));
        String table =
                "## Log messages\n| `… round … continues` | `no message` |\n| `… ended …` | b |\n## Other\n| `c` |\n";
        assertThat(texts.missing(page(table))).containsExactly("docs/page.md: … ended …");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Whoever reads", "it tells of posts", "it hears of posts", "is heard of", "so that nobody waits",
                "nobody may claim", "what waits is due", "the way of a page", "mended", "works off the log",
                "lost without a word", "goes on by itself", "begins again"
            })
    @DisplayName("fails with a phrase that the style replaces")
    void phrase(String phrase) {
        assertThat(PageChecks.replacedPhrases(page("Here " + phrase + "."))).hasSize(1);
        assertThat(PageChecks.replacedPhrases(page("The engine recommends posts.")))
                .isEmpty();
    }
}
