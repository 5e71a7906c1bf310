package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The command counters on servers")
class CountersOnServersTest {

    private static final int LINES = 700;

    @TempDir
    private Path folder;

    private enum StoreKind {
        H2,
        POSTGRESQL,
        MARIADB,
        REDIS,
        REDIS_CLUSTER;

        String url() {
            return switch (this) {
                case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
                case POSTGRESQL -> PostgresServer.shared().createDatabase();
                case MARIADB -> MariaDbServer.shared().createDatabase();
                case REDIS -> RedisServer.shared().uri();
                case REDIS_CLUSTER ->
                    RedisCluster.shared(RedisProgram.embedded()).uri();
            };
        }
    }

    @ParameterizedTest
    @CsvSource({
        "H2, 1",
        "H2, 8",
        "POSTGRESQL, 1",
        "POSTGRESQL, 8",
        "MARIADB, 1",
        "MARIADB, 8",
        "REDIS, 1",
        "REDIS, 8",
        "REDIS_CLUSTER, 8"
    })
    @DisplayName("says what a plain oracle says, with one thread and with eight")
    void oracle(StoreKind server, int threads) throws IOException {
        Path ops = Files.write(folder.resolve("trace.txt"), new TraceGenerator(threads, LINES).trace());
        Trace trace = Trace.read(ops);
        CountersOracle oracle = new CountersOracle(trace.users(), trace.windowMillis());
        trace.stretches().forEach(stretch -> stretch.forEach(oracle::play));
        Cli run = Cli.run("counters", "--ops", ops, "--store", server.url(), "--threads", threads, "--state");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).isEqualTo(oracle.state());
    }

    @ParameterizedTest
    @CsvSource({"H2, 1, REDIS", "POSTGRESQL, 1, REDIS", "POSTGRESQL, 8, REDIS_CLUSTER", "MARIADB, 8, REDIS"})
    @DisplayName("says so also with a cache before SQL that is lost again and again")
    void behindCache(StoreKind server, int threads, StoreKind cache) throws IOException {
        Path ops = Files.write(folder.resolve("trace.txt"), new TraceGenerator(100L + threads, LINES).trace());
        Trace trace = Trace.read(ops);
        CountersOracle oracle = new CountersOracle(trace.users(), trace.windowMillis());
        trace.stretches().forEach(stretch -> stretch.forEach(oracle::play));
        Cli run = Cli.run(
                "counters",
                "--ops",
                ops,
                "--store",
                server.url(),
                "--cache",
                cache.url(),
                "--threads",
                threads,
                "--state");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).isEqualTo(oracle.state());
    }

    @Test
    @DisplayName("refuses a cache before what is not SQL, and one that it cannot reach")
    void badCache() throws IOException {
        Path ops = Files.writeString(folder.resolve("trace.txt"), "1 inc ann like 2\n");
        for (String[] each : new String[][] {
            {"memory", "redis://localhost:1"},
            {"jdbc:h2:mem:" + UUID.randomUUID(), "elsewhere"},
            {"jdbc:h2:mem:" + UUID.randomUUID(), "redis://localhost:1"}
        }) {
            Cli run = Cli.run("counters", "--ops", ops, "--store", each[0], "--cache", each[1]);
            assertThat(run.exitCode()).as(each[1]).isEqualTo(2);
            assertThat(run.err()).as(each[1]).contains("cache");
        }
    }

    @Test
    @DisplayName("refuses a store that it does not know, or cannot reach")
    void unknown() throws IOException {
        Path ops = Files.writeString(folder.resolve("trace.txt"), "1 inc ann like 2\n");
        for (String store :
                new String[] {"elsewhere", "jdbc:none:x", "redis://localhost:1", "jdbc:postgresql://localhost:1/none"
                }) {
            Cli run = Cli.run("counters", "--ops", ops, "--store", store, "--digest");
            assertThat(run.exitCode()).as(store).isEqualTo(2);
            assertThat(run.err()).as(store).contains("store");
            assertThat(run.out()).as(store).isEmpty();
        }
    }
}
