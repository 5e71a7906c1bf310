package io.feedkit.jdbc;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections with the settings of hosts, and connections that fail. */
class HostConnectionsTest {

    private static final Edge EDGE = new Edge("ann", "bob");

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("for every autocommit and isolation the feed is right, and connections are given back unchanged")
    void givenBackAsTheyCame(Kind kind) throws SQLException {
        for (int isolation :
                List.of(TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE)) {
            givenBackAsTheyCame(kind, true, isolation);
            givenBackAsTheyCame(kind, false, isolation);
        }
    }

    private static void givenBackAsTheyCame(Kind kind, boolean autoCommit, int isolation) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind);
                Connection connection = database.dataSource().getConnection()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(autoCommit);
            DataSource host = TestDataSources.single(database.dataSource(), connection);
            try (JdbcFeedStore store = JdbcFeedStore.builder(host)
                            .maintenanceInterval(Duration.ZERO)
                            .build();
                    FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                feed.read("ann", PageRequest.first(10));
                feed.follow("ann", "bob");
                feed.publish("bob", "1");
                feed.fanout().drain();
                assertThat(feed.read("ann", PageRequest.first(10)).items())
                        .extracting(Post::id)
                        .containsExactly("1");
                store.purge(10);
                assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            }
            try (JdbcFeedStore other = database.store()) {
                assertThat(((WritableFollowGraph) other.graph()).add(List.of(EDGE)))
                        .as("rows of a committed transaction")
                        .containsExactly(false);
            }
            if (!autoCommit) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @Timeout(30)
    @DisplayName("an exhausted pool is a typed failure in bounded time, and the store works again afterwards")
    void exhaustedPool(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(1);
            config.setConnectionTimeout(250);
            try (HikariDataSource small = new HikariDataSource(config);
                    JdbcFeedStore store = JdbcFeedStore.builder(small)
                            .maintenanceInterval(Duration.ZERO)
                            .build()) {
                try (Connection taken = small.getConnection()) {
                    assertThat(taken.isValid(1)).isTrue();
                    assertThatThrownBy(() -> ((WritableFollowGraph) store.graph()).add(List.of(EDGE)))
                            .isInstanceOf(StoreUnavailableException.class);
                    assertThatThrownBy(() -> store.seenMarks().lastSeen(List.of("ann")))
                            .isInstanceOf(StoreUnavailableException.class);
                    assertThatThrownBy(() -> JdbcFeedStore.create(small)).isInstanceOf(StoreUnavailableException.class);
                }
                assertThat(((WritableFollowGraph) store.graph()).add(List.of(EDGE)))
                        .containsExactly(true);
            }
        }
    }

    @ParameterizedTest
    @Tag("once")
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @Timeout(300)
    @DisplayName("a network that loses everything is a typed failure in bounded time with the store's own pool")
    void blackHole(Kind kind) {
        int port = kind == Kind.MARIADB
                ? MariaDbServer.shared().port()
                : PostgresServer.shared().port();
        try (TestDatabase database = TestDatabase.of(kind);
                FaultyProxy proxy = FaultyProxy.before(port);
                JdbcFeedStore store = JdbcFeedStore.builder(proxy.url(database.url()))
                        .timeout(Duration.ofSeconds(1))
                        .poolSize(1)
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            ((WritableFollowGraph) store.graph()).add(List.of(EDGE));
            proxy.blackHole(Direction.REPLIES);
            assertThatThrownBy(() -> store.graph().followed("ann", List.of("bob")))
                    .isInstanceOf(StoreUnavailableException.class);
            proxy.resetAll();
            proxy.pass();
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a server that refuses connections is a typed failure when the store is built")
    void refused() {
        assertThatThrownBy(() -> JdbcFeedStore.builder("jdbc:postgresql://127.0.0.1:1/none")
                        .timeout(Duration.ofSeconds(1))
                        .build())
                .isInstanceOf(StoreUnavailableException.class);
    }
}
