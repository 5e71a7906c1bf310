package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import io.feedkit.tools.replay.FeedStores.OpenStore;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A replay on inboxes in Redis beside a SQL database")
class ReplayPartsTest {

    private static final String WALK = "--walk --page 2";

    @TempDir
    private Path directory;

    private Cli replay(List<String> follows, List<String> ops, String policy, String store, String settings)
            throws IOException {
        Path followsFile = Files.write(directory.resolve("follows.txt"), follows);
        Path opsFile = Files.write(directory.resolve("ops.txt"), ops);
        List<Object> args =
                new ArrayList<>(List.of("replay", "--digest", "--unread", "--follows", followsFile, "--ops", opsFile));
        args.addAll(List.of("--policy", policy, "--store", store));
        args.addAll(List.of(settings.split(" ", -1)));
        return Cli.run(args);
    }

    private Cli replay(String policy, String store) throws IOException {
        return replay(
                ReplaySqlTest.FOLLOWS.lines().toList(),
                ReplaySqlTest.OPS.lines().toList(),
                policy,
                store,
                WALK);
    }

    private static String redis() {
        return RedisServer.shared().uri();
    }

    private void givesTheDigestOfMemory(String store) throws IOException {
        Cli inMemory = replay("push", "memory");
        String expected = inMemory.value("digest");
        String unread = inMemory.value("unread digest");
        for (String policy : ReplaySqlTest.POLICIES) {
            Cli run = replay(policy, store);
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.value("digest")).as(policy).isEqualTo(expected);
            assertThat(run.value("unread digest")).as(policy).isEqualTo(unread);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    @DisplayName("gives the same digest as in memory, under every policy")
    void digests(ReplaySqlTest.Backend sql) throws IOException {
        givesTheDigestOfMemory(redis() + "+" + sql.url());
    }

    @Tag("matrix")
    @ParameterizedTest
    @EnumSource(names = {"SENTINELS", "CLUSTER"})
    @DisplayName("gives the same digest with inboxes behind sentinels and in a cluster, under every policy")
    void digests(ReplayRedisTest.Backend redis) throws IOException {
        givesTheDigestOfMemory(redis.uri() + "+" + PostgresServer.shared().createDatabase());
    }

    @ParameterizedTest(name = "seed {0}, {1}")
    @CsvSource({"1,push", "2,hybrid:2", "3,pull", "4,active:2"})
    @DisplayName("of hard operations gives the feeds of the oracle and of memory, with inboxes that trim")
    void hardOperations(long seed, String policy) throws IOException, NoSuchAlgorithmException {
        OpsGenerator generator = new OpsGenerator(seed);
        List<String> follows = generator.follows();
        List<String> ops = generator.ops(400);
        String settings = "--threads 2 --cap 10 --walk --page 3";

        Cli inMemory = replay(follows, ops, policy, "memory", settings);
        Cli run = replay(
                follows, ops, policy, redis() + "+" + PostgresServer.shared().createDatabase(), settings);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.value("digest"))
                .isEqualTo(inMemory.value("digest"))
                .isEqualTo(new OpsOracle(follows, ops).digest(Integer.MAX_VALUE));
    }

    @Test
    @DisplayName("keeps inboxes in Redis and everything else in the database, and leaves nothing in either")
    void parts() throws SQLException {
        String sql = PostgresServer.shared().createDatabase();
        String url = redis() + "+" + sql;
        Clock clock = FeedStores.clock(url);
        try (OpenStore opened = FeedStores.open(url, clock, 1)) {
            try (FeedEngine feed = FeedEngine.builder(opened.store())
                    .clock(clock)
                    .policy(FanoutPolicy.push())
                    .workers(0)
                    .build()) {
                feed.follow("ann", "bob");
                feed.read("ann", PageRequest.first(1));
                feed.publish("bob", "1");
                feed.fanout().drain();
                feed.markSeen("ann", feed.read("ann", PageRequest.first(1)).newer());
            }
            assertThat(keys())
                    .extracting(key -> key.replaceFirst(".*}:", ""))
                    .containsExactlyInAnyOrder("format", "inbox:ann");
            assertThat(filled(sql))
                    .containsExactly("follow", "follow_count", "post", "schema_version", "seen", "source", "task");
        }
        assertThat(keys()).isEmpty();
        assertThat(tables(sql)).isEmpty();
    }

    @Test
    @DisplayName("leaves no tables when Redis cannot be reached")
    void withoutRedis() throws IOException, SQLException {
        String sql = PostgresServer.shared().createDatabase();
        Cli run = replay("push", "redis://127.0.0.1:1+" + sql);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("store cannot keep inboxes in Redis");
        assertThat(tables(sql)).isEmpty();
    }

    @Test
    @DisplayName("leaves no tables when an engine refuses a setting")
    void refusedSetting() throws IOException, SQLException {
        String sql = PostgresServer.shared().createDatabase();
        Cli run = replay(List.of(), List.of(), "push", sql, "--cap 9");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("cap must be between 10 and 100000, but is 9");
        assertThat(tables(sql)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        redis://127.0.0.1:1+jdbc:                         | store must be a JDBC URL whose driver is on the class path
        redis://127.0.0.1:1+jdbc:nonsense:feed            | store must be a JDBC URL whose driver is on the class path
        redis://127.0.0.1:1+jdbc:postgresql://127.0.0.1:1/feed?connectTimeout=1 | store cannot be reached
        redis://+jdbc:h2:mem:refused                      | store cannot keep inboxes in Redis: uri must be redis://
        redis-none://127.0.0.1:1+jdbc:h2:mem:refused      | store cannot keep inboxes in Redis: uri must be redis://
        redis://127.0.0.1:1+postgresql://127.0.0.1/feed   | store cannot be used: uri must be redis://
        jdbc:h2:mem:refused+redis://127.0.0.1:1           | store must name Redis before the database
        jdbc:h2:mem:refused+redis-cluster://127.0.0.1:1   | store must name Redis before the database
        memory+jdbc:h2:mem:refused                        | store must be memory, a JDBC URL
        valkey://127.0.0.1:1+jdbc:h2:mem:refused          | store must be memory, a JDBC URL
        +jdbc:h2:mem:refused                              | store must be memory, a JDBC URL
        """)
    @DisplayName("refuses addresses that are not Redis and then a database, with exit code 2")
    void refused(String store, String why) throws IOException {
        Cli run = replay("push", store);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(why);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:secret@127.0.0.1:1+jdbc:h2:mem:refused",
                "jdbc:h2:mem:x;P=secret+redis://host",
                "jdbc:postgresql://feed:secret@127.0.0.1:1/feed",
                "postgresql://feed:secret@127.0.0.1:1/feed",
                "jdbc:nonsense:feed?password=secret"
            })
    @DisplayName("does not show a password when it refuses an address")
    void passwords(String store) throws IOException {
        Cli run = replay("push", store);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("store ").doesNotContain("secret");
    }

    private static List<String> keys() {
        RedisClient client = RedisClient.create(redis());
        try {
            return client.connect().sync().keys("replay-*");
        } finally {
            client.shutdown();
        }
    }

    /** The tables that have rows, without their prefix. */
    private static List<String> filled(String url) throws SQLException {
        List<String> filled = new ArrayList<>();
        for (String table : tables(url)) {
            if (!ask(url, "SELECT 1 FROM " + table + " LIMIT 1").isEmpty()) {
                filled.add(table.replaceFirst("replay_[0-9a-f]+_", ""));
            }
        }
        return filled;
    }

    private static List<String> tables(String url) throws SQLException {
        return ask(url, "SELECT tablename FROM pg_tables WHERE tablename LIKE 'replay%' ORDER BY tablename");
    }

    private static List<String> ask(String url, String sql) throws SQLException {
        List<String> answer = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            while (rows.next()) {
                answer.add(rows.getString(1));
            }
        }
        return answer;
    }
}
