package io.feedkit.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The commands that explain a feed")
class EngineCommandsTest {

    private static final String TIME = "20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

    /** Where the feeds are. */
    enum Kept {
        IN_SQL,
        IN_REDIS,
        IN_BOTH
    }

    private final String name = "explain" + System.nanoTime();
    private final String jdbc = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
    private final String redis = RedisServer.shared().uri();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.push(resource);
        return resource;
    }

    private FeedStore store(Kept kept) {
        if (kept == Kept.IN_REDIS) {
            return opened(
                    RedisFeedStore.builder(RedisServers.at(redis)).prefix(name).build());
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbc);
        HikariDataSource pool = opened(new HikariDataSource(config));
        JdbcSchema.of(pool).create();
        JdbcFeedStore sql = opened(
                JdbcFeedStore.builder(pool).maintenanceInterval(Duration.ZERO).build());
        if (kept == Kept.IN_SQL) {
            return sql;
        }
        RedisInboxes inboxes =
                opened(RedisInboxes.builder(RedisServers.at(redis)).prefix(name).build());
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
    }

    private String address(Kept kept) {
        return switch (kept) {
            case IN_SQL -> jdbc;
            case IN_REDIS -> redis;
            case IN_BOTH -> redis + "+" + jdbc;
        };
    }

    private Cli inspect(String command, String address, Object... what) {
        List<Object> all = new ArrayList<>(List.of("inspect", command, "--store", address, "--keys", name));
        all.addAll(List.of(what));
        return Cli.run(all);
    }

    private List<String> lines(String command, String address, Object... what) {
        Cli run = inspect(command, address, what);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out().lines().map(line -> line.replaceAll(TIME, "TIME")).toList();
    }

    @ParameterizedTest
    @EnumSource(Kept.class)
    @DisplayName("say why a post is in a feed, or not, and change nothing")
    void explain(Kept kept) {
        try (FeedEngine feed = FeedEngine.builder(store(kept)).workers(0).build()) {
            feed.follow("ann", "bob");
            feed.follow("ann", "cat");
            feed.publish("bob", "first");
            String address = address(kept);
            assertThat(lines("explain", address, "ann", "bob/first"))
                    .startsWith("bob/first in the feed of ann: shown, NO_INBOX")
                    .contains("inbox      ABSENT");
            assertThat(lines("state", address, "ann")).contains("inbox      ABSENT", "followees  2", "  bob", "  cat");
            feed.read("ann", PageRequest.first(5));
            feed.publish("bob", "a/b");
            assertThat(lines("explain", address, "ann", "bob/a/b"))
                    .startsWith("bob/a/b in the feed of ann: not shown, PUSH_WAITING")
                    .anyMatch(line -> line.matches(
                            "Task \\w+ still has to deliver the post to ann: it waits for a worker since TIME."))
                    .anyMatch(line -> line.matches("task       \\w+ PUSH WAITING, due TIME, created TIME"));
            feed.fanout().drain();
            assertThat(lines("explain", address, "ann", "bob/a/b"))
                    .contains("The inbox of ann holds the post.", "published  TIME")
                    .anyMatch(line -> line.startsWith("inbox      LIVE, 2 entries, newest TIME bob/a/b"));
            assertThat(lines("explain", address, "zoe", "bob/a/b"))
                    .startsWith("bob/a/b in the feed of zoe: not shown, NOT_FOLLOWED");
            feed.usePolicy(FanoutPolicy.pull());
            feed.publish("cat", "x");
            assertThat(lines("explain", address, "ann", "cat/x"))
                    .startsWith("cat/x in the feed of ann: shown, PULLED")
                    .contains("register   from TIME to TIME");
            feed.markSeen("ann", feed.read("ann", PageRequest.first(5)).newer());
            assertThat(lines("state", address, "ann"))
                    .contains(
                            "pulled     1", "  cat from TIME to TIME", "seen       up to TIME", "presence   not online")
                    .contains("  complete down to the beginning", "  last compared with the outboxes TIME");
            feed.delete("bob", "a/b");
            assertThat(lines("explain", address, "ann", "bob/a/b"))
                    .startsWith("bob/a/b in the feed of ann: not shown, DELETED");
        }
    }

    @Test
    @DisplayName("take the settings of the application")
    void settings() {
        try (FeedEngine feed = FeedEngine.builder(store(Kept.IN_SQL)).workers(0).build()) {
            feed.follow("ann", "bob");
            feed.follow("ann", "cat");
            feed.publish("cat", "x");
            feed.publish("ann", "own");
            assertThat(lines("explain", jdbc, "--max-followees", 1, "ann", "cat/x"))
                    .startsWith("cat/x in the feed of ann: not shown, BEYOND_MAX_FOLLOWEES");
            assertThat(lines("explain", jdbc, "ann", "ann/own").get(0)).endsWith("OWN_POSTS_OFF");
            assertThat(lines("explain", jdbc, "--own-posts", "ann", "ann/own").get(0))
                    .endsWith("shown, NO_INBOX");
        }
    }

    @Test
    @DisplayName("read tables of the application's own, and say that a post is held back until its time")
    void ownTables() throws SQLException {
        store(Kept.IN_SQL);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbc);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE article (author varchar(64), id varchar(64), at bigint)");
            statement.execute("CREATE TABLE follows (follower varchar(64), followee varchar(64))");
            statement.execute("INSERT INTO follows VALUES ('ann', 'bob')");
            long now = System.currentTimeMillis();
            statement.execute("INSERT INTO article VALUES ('bob', 'now', " + (now - 1000) + "), ('bob', 'later', "
                    + (now + 3_600_000) + ")");
        }
        Object[] tables = {"--posts", "article:author,id,at,MILLIS", "--follows", "follows:follower,followee"};
        assertThat(lines("explain", jdbc, tables[0], tables[1], tables[2], tables[3], "ann", "bob/now"))
                .startsWith("bob/now in the feed of ann: shown, NO_INBOX");
        assertThat(lines("explain", jdbc, tables[0], tables[1], tables[2], tables[3], "ann", "bob/later"))
                .startsWith(
                        "bob/later in the feed of ann: not shown, AHEAD",
                        "The post is dated ahead: the outbox holds it back until TIME.");
    }

    @Test
    @DisplayName("go on without the inboxes, which they name")
    void withoutInboxes() {
        try (FeedEngine feed = FeedEngine.builder(store(Kept.IN_SQL)).workers(0).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "x");
            assertThat(lines("explain", "redis://127.0.0.1:1+" + jdbc, "ann", "bob/x"))
                    .startsWith("bob/x in the feed of ann: shown, INBOX_UNREACHABLE")
                    .contains("inbox      UNREACHABLE")
                    .anyMatch(line -> line.startsWith("no answer  INBOX: "));
        }
    }

    @Test
    @DisplayName("refuse what they cannot use, and say why")
    void refused() {
        assertThat(inspect("explain", "mysql://x", "ann", "bob/x").err()).contains("--store must be redis://HOST:PORT");
        store(Kept.IN_SQL);
        assertThat(inspect("explain", jdbc, "ann", "bob").err())
                .contains("the post must have the form AUTHOR/POST, but is bob");
        assertThat(inspect("explain", jdbc, "--posts", "article", "ann", "bob/x")
                        .err())
                .contains("--posts must have the form TABLE:AUTHOR,ID,TIME,KIND, but is article");
        assertThat(inspect("explain", jdbc, "ann").exitCode()).isEqualTo(2);
        assertThat(inspect("state", "redis://127.0.0.1:1", "ann").exitCode()).isEqualTo(1);
        assertThat(Cli.run("inspect", "explain", "--help").out()).startsWith("Example: feedkit-tools inspect explain");
    }
}
