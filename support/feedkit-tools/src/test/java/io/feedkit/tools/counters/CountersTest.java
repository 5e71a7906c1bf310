package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command counters")
class CountersTest {

    private static final int LINES = 1500;

    @TempDir
    private Path folder;

    private Path file(List<String> lines) throws IOException {
        return Files.write(folder.resolve("trace.txt"), lines);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 1", "1, 8", "2, 8", "3, 8", "4, 8"})
    @DisplayName("says what a plain oracle says, with one thread and with eight")
    void oracle(long seed, int threads) throws IOException {
        Path ops = file(new TraceGenerator(seed, LINES).trace());
        Trace trace = Trace.read(ops);
        CountersOracle oracle = new CountersOracle(trace.users(), trace.windowMillis());
        trace.stretches().forEach(stretch -> stretch.forEach(oracle::play));
        Cli run = Cli.run("counters", "--ops", ops, "--threads", threads, "--state");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).isEqualTo(oracle.state());
    }

    @Test
    @DisplayName("prints the digest of exactly the lines of the state")
    void digest() throws IOException {
        Path ops = file(List.of("1 inc ann like 2", "2 inc ann like 0"));
        assertThat(Cli.run("counters", "--ops", ops, "--state", "--digest").out())
                .isEqualTo("""
                        refused 1
                        total ann 2
                        typed ann like 2
                        digest 4e57916b8a3215db12d7bbbfb2818391caab38a1d4eea8499661a4ccd6de2c88
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5 jump ann", "5", "x inc ann like 1", "5 inc ann", "5 inc ann like 1 o x", "window x"})
    @DisplayName("refuses a trace with a line it does not know, with the number of the line")
    void unknown(String line) throws IOException {
        Cli run = Cli.run("counters", "--ops", file(List.of("# a trace", "1 inc ann like 2", line)), "--digest");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("line 3");
        assertThat(run.out()).isEmpty();
    }

    @Test
    @DisplayName("refuses a file that is not there, and no threads")
    void arguments() throws IOException {
        assertThat(Cli.run("counters", "--ops", folder.resolve("none")).exitCode())
                .isEqualTo(2);
        assertThat(Cli.run("counters", "--ops", file(List.of()), "--threads", 0).exitCode())
                .isEqualTo(2);
    }
}
