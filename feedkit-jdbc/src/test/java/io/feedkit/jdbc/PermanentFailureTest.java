package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.PostgresServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A permanent failure")
class PermanentFailureTest {

    static Stream<String> urls() {
        return Stream.of(
                "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                PostgresServer.shared().createDatabase(),
                MariaDbServer.shared().createDatabase());
    }

    @ParameterizedTest
    @MethodSource("urls")
    @DisplayName("is not retryable: a table is missing")
    void missingTable(String url) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(3);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore store = JdbcFeedStore.builder(pool).build();
                    FeedEngine feed = FeedEngine.builder(store).workers(0).build();
                    Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                feed.publish("bob", "p1");
                statement.execute("ALTER TABLE feedkit_seen RENAME TO feedkit_lost");
                assertThatThrownBy(() -> feed.unread("ann"))
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                e -> assertThat(e.isRetryable()).isFalse());
                statement.execute("ALTER TABLE feedkit_lost RENAME TO feedkit_seen");
                assertThat(feed.unread("ann").count()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://ann:secret@db.internal/feeds",
                "jdbc:mariadb://ann:secret@db.internal/feeds",
                "jdbc:postgresql://ann:secret@db.internal:5432/feeds?ssl=true",
                "jdbc:postgresql://ann:what?secret@db.internal/feeds?ssl=true"
            })
    @DisplayName("does not show the password: a URL has credentials that its driver does not support")
    void credentials(String url) {
        assertThatThrownBy(() -> JdbcFeedStore.create(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContaining("credentials")
                .hasMessageNotContaining("secret");
    }

    /** A host's data source with such a URL: the driver says that it does not know the host. */
    @Test
    @DisplayName("does not show the password in a cause: the host's data source has credentials in its URL")
    void credentialsInCause() {
        DataSource unreachable = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    throw new SQLException(
                            "The connection attempt failed.",
                            "08001",
                            new UnknownHostException("ann:secret@db.internal"));
                });
        List<ThrowingCallable> calls = List.of(
                () -> JdbcSchema.of(unreachable).create(),
                () -> JdbcFeedStore.builder(unreachable).build().close());
        assertThat(calls).allSatisfy(call -> {
            Throwable failure = catchThrowable(call);
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            assertThat(failure).isInstanceOf(StoreUnavailableException.class);
            assertThat(text.toString())
                    .contains("The connection attempt failed")
                    .doesNotContain("secret");
        });
    }

    @Test
    @DisplayName("is found when the schema is created: there is no data source")
    void noDataSource() {
        assertThatThrownBy(() -> JdbcSchema.of(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dataSource");
    }
}
