package io.feedkit.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import io.feedkit.tools.servers.RunTables;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command verify")
class VerifyCommandTest {

    private final String redis = RedisServer.shared().uri();
    private final String jdbc = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final String keys = "verify-" + System.nanoTime();

    private Cli verify(String store, Object... options) {
        List<Object> all = new ArrayList<>(
                List.of("verify", "--store", store, "--keys", keys, "--recheck-after", "0s", "--rate", 100000));
        all.addAll(List.of(options));
        return Cli.run(all);
    }

    /** Makes a store with two readers, of whom one misses a post. */
    private static void damage(FeedStore store) {
        try (FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
            for (String reader : List.of("ann", "dan")) {
                engine.follow(reader, "bob");
                engine.read(reader, PageRequest.first(1));
            }
            Post post = engine.publish("bob", "p1").post();
            engine.fanout().drain();
            store.inbox(new InboxLimits(
                            FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()))
                    .retract(List.of(new Retraction(post, List.of("ann"))));
        }
    }

    /** Finds the damage, repairs it, and finds nothing. */
    private void assertRepairs(String store) {
        Cli found = verify(store);
        assertThat(found.exitCode()).as(found.err()).isEqualTo(1);
        assertThat(found.value("findings")).isEqualTo("1");
        assertThat(found.value("inboxes compared")).isEqualTo("2");
        assertThat(found.out()).contains("  POST_MISSING: 1", "is missing in the inbox of ann.");
        assertThat(found.err()).contains("comparing inboxes: 0, findings: 0");
        Cli repaired = verify(store, "--repair");
        assertThat(repaired.exitCode()).isEqualTo(1);
        assertThat(repaired.value("repaired")).isEqualTo("1");
        assertThat(repaired.out()).contains("is missing in the inbox of ann. Repaired.");
        Cli clean = verify(store);
        assertThat(clean.exitCode()).as(clean.out()).isZero();
        assertThat(clean.value("findings")).isEqualTo("0");
    }

    @Test
    @DisplayName("finds and repairs feeds in SQL")
    void sql() {
        try (HikariDataSource pool = RunTables.pool(jdbc, 4)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore store = JdbcFeedStore.create(pool)) {
                damage(store);
            }
        }
        assertRepairs(jdbc);
    }

    @Test
    @DisplayName("finds and repairs feeds in Redis")
    void redis() {
        try (RedisFeedStore store =
                RedisFeedStore.builder(RedisServers.at(redis)).prefix(keys).build()) {
            damage(store);
        }
        assertRepairs(redis);
    }

    @Test
    @DisplayName("finds and repairs inboxes in Redis over SQL")
    void redisOverSql() {
        try (HikariDataSource pool = RunTables.pool(jdbc, 4)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore sql = JdbcFeedStore.create(pool);
                    RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(redis))
                            .prefix(keys)
                            .build()) {
                damage(FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks()));
            }
        }
        assertRepairs(redis + "+" + jdbc);
    }

    @Test
    @DisplayName("needs the archive of the application, and compares it")
    void archive() {
        Clock clock = Clock.systemUTC();
        try (HikariDataSource pool = RunTables.pool(jdbc, 4)) {
            JdbcSchema.of(pool).create();
            JdbcPostArchive.createTables(pool);
            try (JdbcFeedStore store = JdbcFeedStore.create(pool);
                    FeedEngine engine = FeedEngine.builder(store)
                            .workers(0)
                            .archive(JdbcPostArchive.of(pool))
                            .build()) {
                engine.follow("ann", "bob");
                engine.read("ann", PageRequest.first(1));
                engine.importPosts(List.of(
                        new Post("bob", "p1", clock.instant().minus(Duration.ofDays(40))),
                        new Post("bob", "p2", clock.instant())));
                engine.fanout().drain();
                await().until(() -> engine.archivePosts() > 0);
            }
        }
        Cli without = verify(jdbc, "--repair");
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err()).contains("archive must be set");
        Cli with = verify(jdbc, "--archive", jdbc);
        assertThat(with.exitCode()).as(with.out()).isZero();
        assertThat(with.value("archived posts compared")).isEqualTo("1");
    }

    @Test
    @DisplayName("finds and repairs counts of reactions, in SQL and in Redis")
    void reactions() {
        try (HikariDataSource pool = RunTables.pool(jdbc, 4)) {
            JdbcSchema.of(pool).create();
            try (JdbcCounterStore store = JdbcCounterStore.create(pool)) {
                miscount(store);
            }
        }
        try (RedisCounterStore store =
                RedisCounterStore.builder(RedisServers.at(redis)).prefix(keys).build()) {
            miscount(store);
        }
        for (String store : List.of(jdbc, redis)) {
            assertThat(verify(store).exitCode()).isZero();
            Cli found = verify(store, "--reactions");
            assertThat(found.exitCode()).as(found.err()).isEqualTo(1);
            assertThat(found.out()).contains("Post p1 has 1 reactions of kind like, but the count is 6.");
            assertThat(verify(store, "--reactions", "--repair").exitCode()).isEqualTo(1);
            Cli clean = verify(store, "--reactions");
            assertThat(clean.exitCode()).isZero();
            assertThat(clean.value("wrong counts of reactions")).isEqualTo("0");
        }
    }

    @Test
    @DisplayName("logs in to the database, the archive and the counters with the user and the password")
    void credentials() {
        try (HikariDataSource pool = RunTables.pool(jdbc, "app", "secret", 1)) {
            JdbcSchema.of(pool).create();
            JdbcPostArchive.createTables(pool);
        }
        assertThat(verify(jdbc, "--archive", jdbc, "--reactions").exitCode()).isEqualTo(1);
        Cli run = verify(jdbc, "--archive", jdbc, "--reactions", "--user", "app", "--password=secret");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.value("archived posts compared")).isEqualTo("0");
        assertThat(run.value("wrong counts of reactions")).isEqualTo("0");
    }

    private static void miscount(CounterStore store) {
        Reactions.of(store).add("ann", "p1");
        CellKey count = new CellKey(new Owner(Space.POSTS, "p1"), "+like/0");
        store.add(List.of(new Add(count, 5, Optional.empty())));
    }

    @Test
    @DisplayName("refuses a store, a share and a rate that cannot be, by name and value")
    void wrongUsage() {
        Cli memory = verify("memory");
        assertThat(memory.exitCode()).isEqualTo(2);
        assertThat(memory.err()).contains("--store must be redis://HOST:PORT, a JDBC URL", "but is memory");
        Cli noTables = verify(jdbc);
        assertThat(noTables.exitCode()).isEqualTo(1);
        try (HikariDataSource pool = RunTables.pool(jdbc, 1)) {
            JdbcSchema.of(pool).create();
        }
        Cli share = verify(jdbc, "--sample", "2");
        assertThat(share.exitCode()).isEqualTo(2);
        assertThat(share.err()).contains("share must be more than 0 and at most 1, but is 2.0");
        assertThat(verify(jdbc, "--sample", "0.5").exitCode()).isZero();
    }
}
