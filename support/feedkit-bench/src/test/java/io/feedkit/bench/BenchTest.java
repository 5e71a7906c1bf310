package io.feedkit.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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

    @Test
    @DisplayName("runs the suite jdbc in small, on a server of its own, and finds no task claimed twice")
    void jdbc() {
        int code = run("jdbc", "--quick", "--rounds", "1", "--followers", "10000");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines)
                .filteredOn(line -> !line.startsWith("#"))
                .hasSizeGreaterThan(25)
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
    @DisplayName("refuses suites it does not know, and numbers out of range, with exit code 2")
    void badArguments() {
        assertThat(run("nothing")).isEqualTo(2);
        assertThat(err.toString()).startsWith("SUITE must be one of [core, jdbc, redis], but is nothing");
        assertThat(run("core", "--rounds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("rounds must be between 1 and 1000, but is 0");
        assertThat(run()).isEqualTo(2);
    }
}
