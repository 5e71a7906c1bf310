package io.feedkit.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line of the tools")
class MainTest {

    @Test
    @DisplayName("explains a command")
    void commandHelp() {
        Cli help = Cli.run("replay", "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--follows", "posts served from outboxes");
    }

    @Test
    @DisplayName("prints its help without a command, and suggests the nearest to a mistyped one")
    void noCommand() {
        assertThat(Cli.run().exitCode()).isZero();
        assertThat(Cli.run().out()).contains("verify", "inspect", "replay", "counters", "brokers");
        Cli mistyped = Cli.run("replya");
        assertThat(mistyped.exitCode()).isEqualTo(2);
        assertThat(mistyped.err()).contains("replay");
    }

    @Test
    @DisplayName("lists its commands with their descriptions, below an example")
    void list() {
        String[] help = Cli.run("--help").out().split("\\R", -1);
        assertThat(help[0]).startsWith("Example: java -jar feedkit-tools.jar ");
        assertThat(help)
                .anyMatch(line -> line.matches(" +replay +Replays recorded posts .*"))
                .noneMatch(line -> line.matches(" .*Example: .*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify", "replay", "inspect", "counters", "brokers"})
    @DisplayName("begins the help of a command with an example that it accepts")
    void example(String command) {
        String example = Cli.run(command, "--help").out().split("\\R\\R", 2)[0].replaceAll("\\\\\\R", "");
        assertThat(example).startsWith("Example: feedkit-tools " + command + " ");
        String[] args =
                example.replace("Example: feedkit-tools ", "").replace("'", "").split(" +", -1);
        assertThat(Main.commandLine().parseArgs(args).hasSubcommand()).isTrue();
    }

    @Test
    @DisplayName("ends with exit code 1 if a server cannot be reached, and with 2 on wrong usage")
    void exitCodes() {
        assertThat(Cli.run("inspect", "--uri", "redis://127.0.0.1:1", "log").exitCode())
                .isEqualTo(1);
        assertThat(Cli.run("inspect").exitCode()).isEqualTo(2);
    }
}
