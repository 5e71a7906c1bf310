package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.notification.NotificationUse;
import io.feedkit.live.LiveBus.Registration;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A live bus on PostgreSQL")
@Timeout(60)
class PostgresLiveBusTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String url = PostgresServer.shared().createDatabase();
    private final HikariDataSource pool = pool(url, true);
    private final List<String> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        pool.close();
    }

    private static HikariDataSource pool(String url, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(1000);
        config.setValidationTimeout(500);
        return new HikariDataSource(config);
    }

    private void awaitWorks(PostgresLiveBus bus, String message) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            bus.send(message);
            return received.contains(message);
        });
    }

    private static int active(HikariDataSource source) {
        return source.getHikariPoolMXBean().getActiveConnections();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(NotificationUse.BUS.thread()))
                .count();
    }

    private long listening(String channel) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND query = 'LISTEN \"" + channel + "\"'")) {
            answer.next();
            return answer.getLong(1);
        }
    }

    @Test
    @SuppressWarnings("try") // closed twice on purpose
    @DisplayName("listens with one thread and one connection, while there are listeners")
    void connections() throws SQLException {
        try (PostgresLiveBus bus = PostgresLiveBus.create(pool)) {
            assertThat(threads()).isZero();
            assertThat(active(pool)).isZero();
            List<Registration> registrations = IntStream.range(0, 50)
                    .mapToObj(i -> bus.listen(received::add))
                    .toList();
            awaitWorks(bus, "a");
            assertThat(active(pool)).isOne();
            assertThat(threads()).isOne();
            assertThat(listening("public.feedkit_live")).isOne();
            registrations.forEach(Registration::close);
            await().until(() -> threads() == 0 && active(pool) == 0);
            bus.listen(received::add);
            awaitWorks(bus, "b");
            bus.close();
            bus.close();
            assertThat(threads()).isZero();
            assertThat(active(pool)).isZero();
        }
    }

    @Test
    @DisplayName("works on connections without autocommit, and returns them as they were")
    void withoutAutoCommit() throws SQLException {
        try (HikariDataSource plain = pool(url, false);
                PostgresLiveBus bus = PostgresLiveBus.create(plain)) {
            bus.listen(received::add);
            awaitWorks(bus, "a");
            // Without a pool, which would restore them itself.
            try (Connection kept = plain.getConnection();
                    PostgresLiveBus sending = PostgresLiveBus.create(TestDataSources.single(plain, kept))) {
                sending.send("b");
                await().until(() -> received.contains("b"));
                assertThat(kept.getAutoCommit()).isFalse();
                assertThat(kept.getNetworkTimeout()).isZero();
            }
        }
    }

    @Test
    @DisplayName("names its channel by schema and prefix")
    void names() throws SQLException {
        try (PostgresLiveBus own = PostgresLiveBus.create(pool);
                PostgresLiveBus same = PostgresLiveBus.builder(pool)
                        .schema("public")
                        .prefix("feedkit_")
                        .build();
                PostgresLiveBus other =
                        PostgresLiveBus.builder(pool).schema("another").build()) {
            assertThat(own).hasToString("PostgresLiveBus[public.feedkit_live]");
            other.listen(received::add);
            awaitWorks(other, "other");
            assertThat(listening("another.feedkit_live")).isOne();
            own.listen(received::add);
            awaitWorks(same, "same");
        }
    }

    @Test
    @DisplayName("replaces a listening connection that has fallen silent")
    void silentConnection() {
        try (FaultyProxy proxy = FaultyProxy.before(PostgresServer.shared().port());
                HikariDataSource away = pool(proxy.url(url), true);
                PostgresLiveBus listening = PostgresLiveBus.builder(away)
                        .timeout(Duration.ofSeconds(1))
                        .build();
                PostgresLiveBus sending = PostgresLiveBus.create(pool)) {
            listening.listen(received::add);
            awaitWorks(sending, "a");
            proxy.blackHole(Direction.REPLIES);
            sending.send("sent, and not received");
            await().atMost(LIMIT).until(() -> proxy.connections() == 0 || active(away) == 0);
            proxy.resetAll();
            proxy.pass();
            awaitWorks(sending, "b");
            assertThat(received).doesNotContain("sent, and not received");
        }
    }

    @Test
    @DisplayName("reports a server that does not answer in bounded time")
    void silentServer() {
        try (FaultyProxy proxy = FaultyProxy.before(PostgresServer.shared().port());
                HikariDataSource away = pool(proxy.url(url), true);
                PostgresLiveBus bus = PostgresLiveBus.builder(away)
                        .timeout(Duration.ofSeconds(1))
                        .build()) {
            bus.send("a");
            proxy.blackHole(Direction.REPLIES);
            for (int i = 0; i < 2; i++) {
                long begin = System.nanoTime();
                assertThatThrownBy(() -> bus.send("late")).isInstanceOf(StoreUnavailableException.class);
                // The pool's wait for a connection, and the bus's wait for an answer.
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
            }
            proxy.resetAll();
            proxy.pass();
            bus.listen(received::add);
            awaitWorks(bus, "b");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB"})
    @DisplayName("refuses another database by name")
    void otherDatabase(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            assertThatThrownBy(() -> PostgresLiveBus.create(database.dataSource()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a PostgresLiveBus needs PostgreSQL, but dataSource leads to")
                    .message()
                    .containsIgnoringCase(kind.name());
        }
    }

    @Test
    @DisplayName("refuses connections of a foreign driver")
    void otherDriver() {
        DataSource foreign = TestDataSources.opaque(pool);
        assertThatThrownBy(() -> PostgresLiveBus.create(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("a PostgresLiveBus needs", "org.postgresql.PGConnection");
        assertThat(active(pool)).isZero();
    }

    @Test
    @DisplayName("refuses messages that no bus need carry")
    void refusedMessages() {
        try (PostgresLiveBus bus = PostgresLiveBus.create(pool)) {
            assertThatThrownBy(() -> bus.send("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> bus.send("x".repeat(7001))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("is not created while the database cannot be reached")
    void unreachable() {
        DataSource down = TestDataSources.checked(pool, () -> {
            throw new SQLException("down", "08001");
        });
        assertThatThrownBy(() -> PostgresLiveBus.create(down)).isInstanceOf(StoreUnavailableException.class);
    }
}
