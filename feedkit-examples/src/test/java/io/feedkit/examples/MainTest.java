package io.feedkit.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command line")
class MainTest {

    @Test
    @DisplayName("lists its commands")
    void help() {
        Cli help = Cli.run("--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("quickstart", "articles", "redis", "feedkit-tools.jar");
    }

    @Test
    @DisplayName("explains a command")
    void commandHelp() {
        Cli help = Cli.run("articles", "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--url");
    }

    @Test
    @DisplayName("begins its help, and that of a command with options, with an example")
    void examples() {
        assertThat(Cli.run("--help").out()).startsWith("Example: java -jar feedkit-examples.jar quickstart");
        assertThat(Cli.run("articles", "--help").out()).startsWith("Example: feedkit-examples articles --url ");
        assertThat(Cli.run("redis", "--help").out()).startsWith("Example: feedkit-examples redis --uri ");
        assertThat(Cli.run("production", "--help").out()).startsWith("Example: feedkit-examples production --jdbc ");
    }

    @Test
    @DisplayName("prints its help without a command")
    void noCommand() {
        assertThat(Cli.run().exitCode()).isZero();
        assertThat(Cli.run().out()).contains("quickstart", "articles", "feedkit-tools.jar");
    }

    @Test
    @DisplayName("refuses an unknown command with exit code 2, and suggests the nearest")
    void unknownCommand() {
        Cli mistyped = Cli.run("quikstart");
        assertThat(mistyped.exitCode()).isEqualTo(2);
        assertThat(mistyped.err()).contains("quikstart", "quickstart", "--help");
    }

    @Test
    @DisplayName("ends with exit code 1 if a server cannot be reached")
    void unreachable() {
        Cli redis = Cli.run("redis", "--uri", "redis://127.0.0.1:1");
        assertThat(redis.exitCode()).isEqualTo(1);
        assertThat(redis.err()).contains("127.0.0.1");
    }

    @Test
    @DisplayName("runs the production shape, and says what is where; without a server it ends with exit code 1")
    void production() {
        String database = PostgresServer.shared().createDatabase();
        Cli run = Cli.run(
                "production",
                "--jdbc",
                database,
                "--redis",
                RedisServer.shared().uri(),
                "--prefix",
                "main");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "posts, follows, marks: jdbc:postgresql://",
                        "inboxes: Redis at 127.0.0.1:",
                        "archive: jdbc:postgresql://")
                .contains("ann reads ben/101");
        Cli noRedis = Cli.run("production", "--jdbc", database, "--redis", "redis://127.0.0.1:1");
        assertThat(noRedis.exitCode()).isEqualTo(1);
        assertThat(noRedis.err()).contains("not connected to 127.0.0.1:1");
        Cli noDatabase = Cli.run("production", "--jdbc", "jdbc:postgresql://127.0.0.1:1/none");
        assertThat(noDatabase.exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("says where a command of the tools is, unless it finds their jar")
    void moved(@TempDir Path folder) throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Tools.explain("replay", new PrintStream(err, true, UTF_8));
        assertThat(err.toString(UTF_8)).contains("feedkit-tools.jar replay");
        assertThat(Tools.has("replay", "--policy")).isTrue();
        assertThat(Tools.has("quickstart")).isFalse();
        assertThat(Tools.has()).isFalse();
        Path own = folder.resolve("feedkit-examples/target/feedkit-examples.jar");
        assertThat(Tools.jar(own)).isEmpty();
        Path built = folder.resolve("support/feedkit-tools/target/feedkit-tools.jar");
        Files.createDirectories(built.getParent());
        Files.createFile(built);
        assertThat(Tools.jar(own)).contains(built);
        Path beside = own.resolveSibling("feedkit-tools.jar");
        Files.createDirectories(own.getParent());
        Files.createFile(beside);
        assertThat(Tools.jar(own)).contains(beside);
    }
}
