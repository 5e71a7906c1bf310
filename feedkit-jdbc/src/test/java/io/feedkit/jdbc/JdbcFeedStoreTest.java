package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcFeedStoreTest {

    private static final Edge EDGE = new Edge("ann", "bob");

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a store with a pool of its own works, and closes it")
    void ownPool(Kind kind) {
        String url = TestDatabase.emptyUrl(kind);
        try (HikariDataSource host = pool(url)) {
            JdbcSchema.of(host).create();
            JdbcFeedStore store = JdbcFeedStore.create(url);
            assertThat(((WritableFollowGraph) store.graph()).add(List.of(EDGE))).containsExactly(true);
            store.close();
            store.close();
            assertThatThrownBy(() -> ((WritableFollowGraph) store.graph()).add(List.of(EDGE)))
                    .isInstanceOf(StoreUnavailableException.class);
            await().until(() -> threads("feedkit-jdbc-maintenance") == 0);
        }
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    @Tag("once")
    @DisplayName("closing a store leaves the host's data source open, and ends the store's thread")
    void hostPool() {
        try (TestDatabase database = TestDatabase.of(TestDatabase.Kind.H2)) {
            try (JdbcFeedStore store = JdbcFeedStore.create(database.dataSource())) {
                assertThat(threads("feedkit-jdbc-maintenance")).isOne();
                ((WritableFollowGraph) store.graph()).add(List.of(EDGE));
            }
            await().until(() -> threads("feedkit-jdbc-maintenance") == 0);
            assertThat(((WritableFollowGraph) database.store().graph()).add(List.of(EDGE)))
                    .containsExactly(false);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("missing, older and newer tables are refused, and the message says what to run")
    void schemaVersions(Kind kind) throws SQLException {
        try (HikariDataSource host = pool(TestDatabase.emptyUrl(kind))) {
            assertThatThrownBy(() -> JdbcFeedStore.create(host))
                    .isInstanceOf(SchemaVersionException.class)
                    .hasMessageContaining("JdbcSchema.create()")
                    .hasMessageContaining("classpath:feedkit-jdbc/");
            JdbcSchema.of(host).create();
            execute(host, "UPDATE feedkit_schema_version SET version = 999");
            assertThatThrownBy(() -> JdbcFeedStore.create(host))
                    .isInstanceOf(SchemaVersionException.class)
                    .hasMessageContaining("999")
                    .hasMessageContaining("later version of the library");
            execute(host, "DELETE FROM feedkit_schema_version");
            assertThatThrownBy(() -> JdbcFeedStore.create(host)).isInstanceOf(SchemaVersionException.class);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("tables with other prefixes, and in a schema of their own, live side by side")
    void sideBySide(Kind kind) throws SQLException {
        try (HikariDataSource host = pool(TestDatabase.emptyUrl(kind))) {
            String schema = "own_" + UUID.randomUUID().toString().substring(0, 8);
            execute(host, "CREATE SCHEMA " + schema);
            JdbcSchema.of(host).create();
            JdbcSchema.of(host, "", "feedkit_x_").create();
            JdbcSchema.of(host, schema, "f_").create();
            try (JdbcFeedStore plain = JdbcFeedStore.create(host);
                    JdbcFeedStore other =
                            JdbcFeedStore.builder(host).prefix("feedkit_x_").build();
                    JdbcFeedStore own = JdbcFeedStore.builder(host)
                            .schema(schema)
                            .prefix("f_")
                            .build()) {
                assertThat(((WritableFollowGraph) plain.graph()).add(List.of(EDGE)))
                        .containsExactly(true);
                assertThat(((WritableFollowGraph) other.graph()).add(List.of(EDGE)))
                        .containsExactly(true);
                assertThat(((WritableFollowGraph) own.graph()).add(List.of(EDGE)))
                        .containsExactly(true);
                assertThat(((WritableFollowGraph) own.graph()).remove(List.of(EDGE)))
                        .containsExactly(true);
                assertThat(plain.graph().followed("ann", List.of("bob"))).containsExactly("bob");
            }
            JdbcSchema.of(host, schema, "f_").drop();
            JdbcSchema.of(host).check();
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a database that is not supported is refused by name")
    void foreignDatabase() {
        try (TestDatabase database = TestDatabase.of(TestDatabase.Kind.H2)) {
            DataSource foreign = TestDataSources.calling(database.dataSource(), "Oracle");
            assertThatThrownBy(() -> JdbcFeedStore.create(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Oracle");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a database that is too old is refused with what is needed and what was found")
    void oldDatabase(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            DataSource old = TestDataSources.versioned(database.dataSource(), "1.4.200-old");
            assertThatThrownBy(() -> JdbcFeedStore.create(old))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(" or later")
                    .hasMessageContaining("1.4.200-old");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases(without = {Kind.H2, Kind.POSTGRESQL})
    @DisplayName("connections that count changed rows instead of found ones are refused")
    void affectedRows(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.addDataSourceProperty("useAffectedRows", "true");
            config.setMaximumPoolSize(1);
            try (HikariDataSource affected = new HikariDataSource(config)) {
                assertThatThrownBy(() -> JdbcFeedStore.create(affected))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("useAffectedRows");
            }
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a URL without a driver is refused without showing its parameters")
    void noDriver() {
        assertThatThrownBy(() -> JdbcFeedStore.create("jdbc:oracle:thin:scott/tiger@host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jdbc:oracle:")
                .hasMessageNotContaining("tiger");
    }

    @Test
    @Tag("once")
    @DisplayName("a read-only H2 database is refused")
    void readOnlyH2(@TempDir Path directory) {
        String url = "jdbc:h2:file:" + directory.resolve("feed");
        try (HikariDataSource host = pool(url)) {
            JdbcSchema.of(host).create();
        }
        assertThatThrownBy(() -> JdbcFeedStore.create(url + ";ACCESS_MODE_DATA=r"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases(without = Kind.H2)
    @DisplayName("read-only connections are refused")
    void readOnlyConnections(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setConnectionInitSql(
                    kind.isMySql()
                            ? "SET SESSION TRANSACTION READ ONLY"
                            : "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
            config.setMaximumPoolSize(1);
            try (HikariDataSource readOnly = new HikariDataSource(config)) {
                assertThatThrownBy(() -> JdbcFeedStore.create(readOnly))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read-only");
            }
        }
    }

    @ParameterizedTest
    @Tag("once")
    @ValueSource(strings = {"SET COLLATION ENGLISH STRENGTH PRIMARY", "SET IGNORECASE TRUE"})
    @DisplayName("an H2 database that does not order by bytes is refused")
    void collationOfH2(String setting) throws SQLException {
        try (HikariDataSource host = pool(TestDatabase.emptyUrl(Kind.H2))) {
            execute(host, setting);
            JdbcSchema.of(host).create();
            assertThatThrownBy(() -> JdbcFeedStore.create(host))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("order ids by bytes");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases(without = Kind.H2)
    @DisplayName("tables with another collation are refused, and the column is named")
    void collationOfTables(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind)) {
            execute(
                    database.dataSource(),
                    kind.isMySql()
                            ? "ALTER TABLE feedkit_seen MODIFY reader varchar(64) CHARACTER SET utf8mb4 NOT NULL"
                            : "ALTER TABLE feedkit_seen ALTER COLUMN reader TYPE varchar(64) COLLATE \"default\"");
            assertThatThrownBy(() -> JdbcFeedStore.create(database.dataSource()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("feedkit_seen.reader");
        }
    }

    @ParameterizedTest
    @Tag("once")
    @ValueSource(
            strings = {
                "",
                "Feed_",
                "1feed",
                "feed-",
                "feed kit",
                "feed\"",
                "feed';--",
                "a.b",
                "f%",
                "\u00e4",
                "${post}",
                ":now",
                "a234567890123456789012345678901"
            })
    @DisplayName("names that are no plain identifiers are refused, and shown")
    void names(String name) {
        try (TestDatabase database = TestDatabase.of(TestDatabase.Kind.H2)) {
            DataSource host = database.dataSource();
            assertThatThrownBy(() -> JdbcFeedStore.builder(host).prefix(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("prefix must");
            assertThatThrownBy(() -> JdbcFeedStore.builder(host).schema(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("schema must");
            assertThatThrownBy(() -> JdbcSchema.of(host, "", name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Tag("once")
    @DisplayName("settings that are out of range, repeated or useless are refused")
    void settings() {
        try (TestDatabase database = TestDatabase.of(TestDatabase.Kind.H2)) {
            JdbcFeedStore.Builder builder = JdbcFeedStore.builder(database.dataSource());
            assertThatThrownBy(() -> builder.timeout(Duration.ofMillis(10)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timeout")
                    .hasMessageContaining("PT0.01S");
            assertThatThrownBy(() -> builder.maintenanceInterval(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maintenanceInterval");
            assertThatThrownBy(() -> builder.poolSize(4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("poolSize");
            assertThatThrownBy(() -> builder.prefix("feedkit_").prefix("feedkit_"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("prefix was set before");
            assertThatThrownBy(() -> JdbcFeedStore.builder((String) null)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> database.store().purge(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("limit");
        }
    }
}
