package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Watch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines on stores of their own, as in two processes, whose workers do not poll for an hour. */
class NotificationsTest {

    private static final String THREAD = "feedkit-jdbc-listener";
    private static final String LISTENING =
            " FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

    private HikariDataSource pool;

    @BeforeEach
    void createTables() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(TestDatabase.emptyUrl(Kind.POSTGRESQL));
        config.setMaximumPoolSize(8);
        pool = new HikariDataSource(config);
        JdbcSchema.of(pool).create();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private JdbcFeedStore store() {
        return notifying(JdbcFeedStore.builder(pool));
    }

    private static JdbcFeedStore notifying(JdbcFeedStore.Builder builder) {
        return builder.maintenanceInterval(Duration.ZERO).notifications(true).build();
    }

    private static FeedEngine worker(JdbcFeedStore store) {
        return FeedEngine.builder(store)
                .workers(2)
                .fanout(fanout -> fanout.pollInterval(Duration.ofHours(1)))
                .build();
    }

    private static FeedEngine publisher(JdbcFeedStore store) {
        return FeedEngine.builder(store).workers(0).build();
    }

    private long ask(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getLong(1);
        }
    }

    private void awaitListeners(int count) {
        await().until(() -> ask("SELECT count(*)" + LISTENING) == count);
    }

    private static void awaitDone(JdbcFeedStore store) {
        await().until(() -> store.outbox().fanout().queueStatus().unfinished() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .count();
    }

    @Test
    @DisplayName("the posts of one store are delivered at once by the workers of another")
    void publish() {
        try (JdbcFeedStore one = store();
                JdbcFeedStore other = store();
                FeedEngine publisher = publisher(one);
                FeedEngine worker = worker(other)) {
            publisher.follow("ann", "bob");
            publisher.read("ann", PageRequest.first(10));
            awaitListeners(1);
            for (int i = 0; i < 10; i++) {
                publisher.publish("bob", "p" + i);
                awaitDone(one);
                assertThat(worker.read("ann", PageRequest.first(10)).items()).hasSize(i + 1);
            }
        }
    }

    @Test
    @DisplayName("the posts of a host's transaction are delivered by another store's workers as soon as it commits")
    void hostTransaction() throws SQLException {
        try (JdbcFeedStore one = store();
                JdbcFeedStore other = store();
                FeedEngine publisher = publisher(one);
                FeedEngine worker = worker(other);
                Connection host = pool.getConnection()) {
            host.setAutoCommit(false);
            awaitListeners(1);
            for (int i = 0; i < 5; i++) {
                publisher.publish(Post.of("bob", "p" + i, i), JdbcTransaction.of(host));
                host.commit();
                awaitDone(one);
                assertThat(worker.readAuthor("bob", PageRequest.first(10)).items())
                        .hasSize(i + 1);
            }
        }
    }

    @Test
    @DisplayName("a watcher is woken by a commit, but not before it, nor by a rollback")
    void commits() throws SQLException {
        try (JdbcFeedStore one = store();
                JdbcFeedStore other = store();
                FeedEngine publisher = publisher(one);
                Connection host = pool.getConnection()) {
            AtomicInteger woken = new AtomicInteger();
            try (Watch watch = other.outbox().fanout().watch(woken::incrementAndGet)) {
                assertThat(watch).isNotNull();
                await().untilAsserted(() -> assertThat(woken).hasValue(1));
                host.setAutoCommit(false);
                publisher.publish(Post.of("bob", "kept", 1), JdbcTransaction.of(host));
                publisher.publish("cat", "1");
                await().untilAsserted(() -> assertThat(woken).hasValue(2));
                host.commit();
                await().untilAsserted(() -> assertThat(woken).hasValue(3));
                publisher.publish(Post.of("bob", "undone", 1), JdbcTransaction.of(host));
                host.rollback();
                publisher.publish("cat", "2");
                await().untilAsserted(() -> assertThat(woken).hasValue(4));
                publisher.publish("cat", "3");
                await().untilAsserted(() -> assertThat(woken).hasValue(5));
            }
        }
    }

    @Test
    @DisplayName("a listener whose connection is terminated takes another, and misses no task")
    void terminated() throws SQLException {
        try (JdbcFeedStore one = store();
                JdbcFeedStore other = store();
                FeedEngine publisher = publisher(one);
                FeedEngine worker = worker(other)) {
            for (int round = 0; round < 5; round++) {
                awaitListeners(1);
                assertThat(ask("SELECT count(pg_terminate_backend(pid))" + LISTENING))
                        .isOne();
                publisher.publish("bob", "amid" + round);
                awaitDone(one);
                awaitListeners(1);
                publisher.publish("bob", "after" + round);
                awaitDone(one);
            }
            assertThat(worker.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("tables with other names, or in another schema, do not wake each other's workers")
    void prefixes() throws SQLException {
        String schema = "s" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + schema);
        }
        JdbcSchema.of(pool, "", "other_").create();
        JdbcSchema.of(pool, schema, "feedkit_").create();
        try (JdbcFeedStore plain = store();
                JdbcFeedStore other = notifying(JdbcFeedStore.builder(pool).prefix("other_"));
                JdbcFeedStore apart = notifying(JdbcFeedStore.builder(pool).schema(schema))) {
            AtomicInteger plainWoken = watched(plain);
            AtomicInteger otherWoken = watched(other);
            AtomicInteger apartWoken = watched(apart);
            for (int i = 0; i < 5; i++) {
                try (FeedEngine publisher = publisher(plain)) {
                    publisher.publish("bob", "p" + i);
                }
                int heard = i + 2;
                await().untilAsserted(() -> assertThat(plainWoken).hasValue(heard));
            }
            try (FeedEngine publisher = publisher(other)) {
                publisher.publish("bob", "p");
            }
            await().untilAsserted(() -> assertThat(otherWoken).hasValue(2));
            try (FeedEngine publisher = publisher(apart)) {
                publisher.publish("bob", "p");
            }
            await().untilAsserted(() -> assertThat(apartWoken).hasValue(2));
            assertThat(plainWoken).hasValue(6);
            assertThat(otherWoken).hasValue(2);
        }
    }

    /** Counts wake-ups. The first one comes when the listener starts. */
    private static AtomicInteger watched(JdbcFeedStore store) {
        AtomicInteger woken = new AtomicInteger();
        Watch unused = store.outbox().fanout().watch(woken::incrementAndGet);
        await().untilAsserted(() -> assertThat(woken).hasValue(1));
        return woken;
    }

    @Test
    @DisplayName("a thread and a connection listen only while there are engines with workers")
    void threadAndConnection() {
        try (JdbcFeedStore store = store();
                FeedEngine publisher = publisher(store)) {
            assertThat(publisher.fanout().backlog().tasks()).isZero();
            assertThat(threads()).as("threads for an engine without workers").isZero();
            for (int i = 0; i < 3; i++) {
                try (FeedEngine first = worker(store)) {
                    try (FeedEngine second = worker(store)) {
                        awaitListeners(1);
                        assertThat(threads()).isOne();
                        assertThat(second.fanout().backlog().tasks()).isZero();
                    }
                    publisher.publish("bob", "p" + i);
                    awaitDone(store);
                    assertThat(first.fanout().backlog().tasks()).isZero();
                }
                await().until(() -> threads() == 0);
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }

    @Test
    @DisplayName("closing the store ends the thread and gives the connection back, even under an engine")
    void closed() throws SQLException {
        JdbcFeedStore store = store();
        try (FeedEngine worker = worker(store)) {
            awaitListeners(1);
            store.close();
            assertThat(threads()).isZero();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            assertThat(ask("SELECT count(*)" + LISTENING)).isZero();
            FanoutLog log = store.outbox().fanout();
            try (Watch late = log.watch(() -> {})) {
                assertThat(late).isNotNull();
            }
            assertThat(threads()).isZero();
            assertThat(worker.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("the store's own pool has one connection more, for listening")
    void ownPool() {
        JdbcFeedStore.Builder builder = JdbcFeedStore.builder(pool.getJdbcUrl()).poolSize(1);
        try (JdbcFeedStore store = notifying(builder);
                FeedEngine worker = worker(store)) {
            awaitListeners(1);
            worker.publish("bob", "1");
            awaitDone(store);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB"})
    @DisplayName("another database is refused by name")
    void otherDatabase(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            assertThatThrownBy(() -> notifying(JdbcFeedStore.builder(database.dataSource())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("notifications need PostgreSQL")
                    .message()
                    .containsIgnoringCase(kind.name());
        }
    }

    @Test
    @DisplayName("a listener that cannot load the classes of the driver keeps no connection")
    void unlinkedDriver() {
        AtomicInteger failures = new AtomicInteger();
        DataSource unlinked = TestDataSources.before(pool, (method, arguments) -> {
            if (method.equals("unwrap")) {
                failures.incrementAndGet();
                throw new NoClassDefFoundError("org/postgresql/PGConnection");
            }
        });
        try (JdbcFeedStore store = notifying(JdbcFeedStore.builder(unlinked));
                Watch watch = store.outbox().fanout().watch(() -> {})) {
            assertThat(watch).isNotNull();
            await().untilAsserted(() -> assertThat(failures).hasValueGreaterThan(2));
        }
        assertThat(threads()).isZero();
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    @DisplayName("connections of a foreign driver are refused")
    void otherDriver() {
        DataSource foreign = TestDataSources.opaque(pool);
        assertThatThrownBy(() -> notifying(JdbcFeedStore.builder(foreign)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("org.postgresql.PGConnection");
    }
}
