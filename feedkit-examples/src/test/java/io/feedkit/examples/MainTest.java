package io.feedkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command line")
class MainTest {

    @Test
    @DisplayName("lists its commands")
    void help() {
        Cli help = Cli.run("--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("quickstart", "articles", "redis", "inspect", "replay", "brokers");
    }

    @Test
    @DisplayName("explains a command")
    void commandHelp() {
        Cli help = Cli.run("replay", "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--follows", "posts served from outboxes");
    }

    @Test
    @DisplayName("refuses a missing or unknown command with exit code 2")
    void noCommand() {
        assertThat(Cli.run().exitCode()).isEqualTo(2);
        assertThat(Cli.run().err()).contains("command is missing", "--help");
        assertThat(Cli.run("reply").exitCode()).isEqualTo(2);
    }
}
