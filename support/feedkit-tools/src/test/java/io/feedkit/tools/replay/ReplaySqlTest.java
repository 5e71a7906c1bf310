package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.MySqlServer;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A replay on a SQL database")
class ReplaySqlTest {

    static final List<String> POLICIES = List.of("push", "pull", "hybrid:2", "active:2", "online");

    static final String FOLLOWS = "10 1\n10 2\n9 2\n2 1\n8 1\n";

    static final String OPS = """
            1000 P 1 1
            1500 P 2 2
            2000 F 9 1
            2000 P 1 3
            2500 R 9
            3000 D 2 2
            3000 P 2 4
            3500 U 10 1
            4000 P 1 5
            4500 P 1 5
            5000 F 10 1
            5500 P 2 6
            6000 R 8
            """;

    enum Backend {
        H2,
        POSTGRESQL,
        MARIADB;

        String url() {
            return switch (this) {
                case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
                case POSTGRESQL -> PostgresServer.shared().createDatabase();
                case MARIADB -> MariaDbServer.shared().createDatabase();
            };
        }
    }

    @TempDir
    private Path directory;

    private Path follows;
    private Path ops;

    @BeforeEach
    void writeInput() throws IOException {
        follows = Files.writeString(directory.resolve("follows.txt"), FOLLOWS);
        ops = Files.writeString(directory.resolve("ops.txt"), OPS);
    }

    private Cli replay(String policy, String store) {
        return Cli.run(
                "replay",
                "--follows",
                follows,
                "--ops",
                ops,
                "--policy",
                policy,
                "--store",
                store,
                "--walk",
                "--page",
                "2",
                "--digest");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("gives the same digest as in memory, under every policy")
    void digests(Backend backend) {
        givesTheDigestOfMemory(backend.url());
    }

    @Test
    @Tag("matrix")
    @EnabledIf(
            value = "io.feedkit.testservers.MySqlServer#isAvailable",
            disabledReason = "MySqlServer.whyUnavailable() tells what this machine lacks")
    @DisplayName("gives the same digest as in memory on MySQL, too")
    void digestsOnMySql() {
        givesTheDigestOfMemory(MySqlServer.shared().createDatabase());
    }

    private void givesTheDigestOfMemory(String url) {
        String expected = replay("push", "memory").value("digest");
        for (String policy : POLICIES) {
            Cli run = replay(policy, url);
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.value("digest")).as(policy).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://127.0.0.1/feed",
                "jdbc:nonsense:feed",
                "jdbc:postgresql://127.0.0.1:1/feed?connectTimeout=1"
            })
    @DisplayName("refuses a URL that leads nowhere, with exit code 2")
    void refused(String url) {
        Cli run = replay("push", url);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("store ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    @DisplayName("leaves no database behind that a second run would meet")
    void again() {
        String url = "jdbc:h2:" + directory.resolve("file");
        assertThat(replay("push", url).value("digest"))
                .isEqualTo(replay("push", url).value("digest"));
    }
}
