package io.feedkit.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@DisplayName("The runner")
class BenchTest {

    private static final String NUMBER = "[\\d,]+(\\.\\d+)?";
    private static final Pattern LINE = Pattern.compile(
            "[^|]+ \\| " + NUMBER + " [^|]+ \\| " + NUMBER + " \\| " + NUMBER + " \\| [^|]+ \\| (ok|short)");

    /** Of measurements with more than a few figures, so that none is lost without notice. */
    private static final Map<String, Integer> LEAST_FIGURES = Map.ofEntries(
            Map.entry("redis: publish", 3),
            Map.entry("redis: deliver", 10),
            Map.entry("redis: follow", 7),
            Map.entry("redis: memory", 6),
            Map.entry("redis: huge fan-out", 6),
            Map.entry("redis: scripts", 66),
            Map.entry("redis: layouts", 20),
            Map.entry("redis: replay", 7),
            Map.entry("scale: outage", 39),
            Map.entry("redis: read", 13),
            Map.entry("production: visible", 3),
            Map.entry("production: week", 8),
            Map.entry("production: beside mover", 7),
            Map.entry("production: walk", 6),
            Map.entry("production: verify", 24),
            Map.entry("copies: returns", 36),
            Map.entry("copies: copying down", 4),
            Map.entry("copies: copy read", 2));

    /** What a line of a measurement must match in every run; bars stand for themselves. */
    private static final Map<String, String> SURE_LINES = Map.of(
            "jdbc: log", "log: claimed by two workers.* | 0 tasks | .* | ok",
            "jdbc: round trips", "round trips: publish, push.* | 1 round trips | .*",
            "redis: replay", "replay: .* | 1,600 entries | 1,600 | 1 | none | ok",
            "copies: returns", "returns: .* filled from copies .* | 50 inboxes | 50 | 1 | ratio .* | ok",
            "copies: tombstones", "tombstones: .* | 1 | .* | ok");

    @TempDir
    private static Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(args);
    }

    /**
     * One in three measurements that can run here, or all of them with {@code -Dfeedkit.measurements=all}. A new one
     * needs no line here.
     */
    static Stream<Arguments> measurements() {
        List<Arguments> all = all().filter(
                        measurement -> measurement.what().lacks().isEmpty())
                .map(measurement ->
                        arguments(measurement.suite().name(), measurement.what().name()))
                .toList();
        int stride = System.getProperty("feedkit.measurements", "").equals("all") ? 1 : 3;
        return IntStream.range(0, all.size()).filter(i -> i % stride == 0).mapToObj(all::get);
    }

    static Stream<Arguments> lacking() {
        return all().filter(measurement -> measurement.what().lacks().isPresent())
                .map(measurement -> arguments(
                        measurement.what().name(), measurement.what().lacks().orElseThrow()));
    }

    private record Named(Suite suite, Measurement what) {}

    private static Stream<Named> all() {
        Suites suites = new Suites(Optional.empty(), Optional.of(data));
        return suites.names().stream()
                .map(name -> suites.named(name).orElseThrow())
                .flatMap(suite -> suite.measurements().stream().map(measurement -> new Named(suite, measurement)));
    }

    @Tag("exhaustive")
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("measurements")
    @DisplayName("runs each measurement in small, on servers of its own, and prints well-formed lines")
    void measurement(String suite, String measurement) {
        String what = suite + ": " + measurement;
        assertThat(figures(suite, measurement))
                .filteredOn(line -> line.startsWith(measurement))
                .hasSizeGreaterThanOrEqualTo(LEAST_FIGURES.getOrDefault(what, 1))
                .anyMatch(
                        line -> line.matches(SURE_LINES.getOrDefault(what, ".*").replace("|", "\\|")));
    }

    @Tag("exhaustive")
    @ParameterizedTest(name = "{0}: {1}", allowZeroInvocations = true)
    @MethodSource("lacking")
    @DisplayName("the measurement has the servers that it needs; the test is skipped if it has not")
    void installed(String measurement, String lacking) {
        abort(measurement + " needs " + lacking);
    }

    /** Runs what a word chooses of a suite, as short as it can be. */
    private List<String> figures(String suite, String only) {
        int code = run(
                suite,
                "--only",
                only,
                "--quick",
                "--rounds",
                "1",
                "--followers",
                Integer.toString(Scale.MIN_FOLLOWERS),
                "--data",
                data.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).first().asString().startsWith("# ").contains(" cores, heap ");
        assertThat(lines).last().asString().matches("# \\d+ figures, \\d+ short");
        List<String> figures =
                lines.stream().filter(line -> !line.startsWith("#")).toList();
        assertThat(figures).allMatch(line -> LINE.matcher(line).matches());
        return figures;
    }

    @Test
    @DisplayName("runs a measurement in small, on a server of its own, and prints well-formed lines")
    void publish() {
        measurement("redis", "publish");
    }

    @BeforeAll
    static void record() throws IOException {
        compressed(data.resolve("higgs-follows.txt.gz"), "1 2\n1 3\n2 3\n3 3\n4 1\n");
        String posts = IntStream.range(0, 1200)
                .mapToObj(i -> (1_341_100_972 + i / 5) + " " + (1 + i % 3) + "\n")
                .collect(Collectors.joining());
        compressed(data.resolve("higgs-posts.txt.gz"), posts);
    }

    private static void compressed(Path file, String text) throws IOException {
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
            gzip.write(text.getBytes(US_ASCII));
        }
    }

    @Test
    @DisplayName("leaves the replay out without data, and says so in a line")
    void noData() {
        assertThat(run("redis", "--only", "replay")).isZero();
        assertThat(out.toString().lines())
                .contains("# replay is left out: it needs --data, a directory with higgs-follows.txt.gz and "
                        + "higgs-posts.txt.gz")
                .last()
                .isEqualTo("# 0 figures, 0 short");
    }

    @Test
    @DisplayName("refuses suites it does not know, and numbers out of range, with exit code 2")
    void badArguments() {
        assertThat(run("nothing")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith(
                        "SUITE must be one of [core, jdbc, redis, unread, scale, brokers, live, production, copies, "
                                + "microblog], but is nothing");
        assertThat(run("core", "--rounds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("rounds must be between 1 and 1000, but is 0");
        assertThat(run()).isEqualTo(2);
        assertThat(run("redis", "--data", "nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("data must be a directory with higgs-follows.txt.gz, but is nowhere");
    }
}
