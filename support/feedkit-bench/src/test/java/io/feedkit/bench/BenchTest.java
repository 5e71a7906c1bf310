package io.feedkit.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayName("The runner")
class BenchTest {

    private static final String NUMBER = "[\\d,]+(\\.\\d+)?";
    private static final Pattern LINE = Pattern.compile(
            "[^|]+ \\| " + NUMBER + " [^|]+ \\| " + NUMBER + " \\| " + NUMBER + " \\| [^|]+ \\| (ok|short)");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(args);
    }

    @Tag("exhaustive")
    @Test
    @DisplayName("runs the suite core in small, and prints well-formed lines")
    void core() {
        int code = run("core", "--quick", "--rounds", "1", "--followers", "100000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).first().asString().startsWith("# ").contains(" cores, heap ");
        assertThat(lines).last().asString().matches("# \\d+ figures, \\d+ short");
        assertThat(lines)
                .filteredOn(line -> !line.startsWith("#"))
                .hasSizeGreaterThan(15)
                .allMatch(line -> LINE.matcher(line).matches());
    }

    @Tag("exhaustive")
    @Test
    @DisplayName("runs the suite jdbc in small, on a server of its own, and finds no task claimed twice")
    void jdbc() {
        int code = run("jdbc", "--quick", "--rounds", "1", "--followers", "10000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .filteredOn(line -> !line.startsWith("#"))
                .hasSizeGreaterThan(27)
                .allMatch(line -> LINE.matcher(line).matches());
        assertThat(lines)
                .filteredOn(line -> line.startsWith("log: claimed by two workers"))
                .singleElement()
                .asString()
                .contains(" | 0 tasks | ")
                .endsWith(" | ok");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("round trips: publish, push "))
                .singleElement()
                .asString()
                .contains(" | 1 round trips | ");
    }

    @Test
    @DisplayName("runs a measurement in small, on a server of its own, and prints well-formed lines")
    void publish() {
        redis("publish", 3);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource({"deliver, 10", "follow, 7", "memory, 6", "huge, 6", "scripts, 66", "layouts, 20"})
    @DisplayName("runs the suite redis in small, but for reads, on servers of its own")
    void redis(String measurement, int figures) {
        int code = run("redis", "--only", measurement, "--quick", "--rounds", "1", "--followers", "10000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(figures)
                .allMatch(line -> line.startsWith(measurement) || line.startsWith("huge fan-out"))
                .allMatch(line -> LINE.matcher(line).matches());
    }

    @Tag("exhaustive")
    @Test
    @DisplayName("runs the suite unread in small, on servers of its own")
    void unread() {
        assertThat(run("unread", "--quick", "--rounds", "1")).isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(16)
                .allMatch(line -> LINE.matcher(line).matches());
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource({
        "register in memory, 3",
        "register in PostgreSQL, 7",
        "register in Redis, 7",
        "followees, 4",
        "outage, 39"
    })
    @DisplayName("runs the suite scale in small, on servers of its own")
    void scale(String measurement, int figures) {
        int code = run("scale", "--only", measurement, "--quick", "--rounds", "1", "--followers", "10000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(figures)
                .allMatch(line -> line.startsWith(measurement))
                .allMatch(line -> LINE.matcher(line).matches());
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource({"processes, 2", "backlog, 1", "idle, 1", "intake, 1"})
    @DisplayName("runs parts of the suite brokers in small, on servers of its own")
    void brokers(String measurement, int figures) {
        int code = run("brokers", "--only", measurement, "--quick", "--rounds", "1", "--followers", "20000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(figures)
                .allMatch(line -> LINE.matcher(line).matches());
    }

    @Tag("exhaustive")
    @Test
    @DisplayName("replays follows and posts on Redis both ways, and finds the same feeds")
    void replay(@TempDir Path directory) throws IOException {
        compressed(directory.resolve("higgs-follows.txt.gz"), "1 2\n1 3\n2 3\n3 3\n4 1\n");
        String posts = IntStream.range(0, 1200)
                .mapToObj(i -> (1_341_100_972 + i / 5) + " " + (1 + i % 3) + "\n")
                .collect(Collectors.joining());
        compressed(directory.resolve("higgs-posts.txt.gz"), posts);

        int code = run("redis", "--only", "replay", "--data", directory.toString(), "--quick", "--rounds", "1");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(7)
                .allMatch(line -> LINE.matcher(line).matches())
                .anyMatch(line -> line.contains(" | 1,600 entries | 1,600 | 1 | none | ok"));
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
                .startsWith("SUITE must be one of [core, jdbc, redis, unread, scale, brokers], but is nothing");
        assertThat(run("core", "--rounds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("rounds must be between 1 and 1000, but is 0");
        assertThat(run()).isEqualTo(2);
        assertThat(run("redis", "--data", "nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("data must be a directory with higgs-follows.txt.gz, but is nowhere");
    }
}
