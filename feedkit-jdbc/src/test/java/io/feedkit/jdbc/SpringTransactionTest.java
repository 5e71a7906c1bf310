package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.jdbc.TestDatabase.Kind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

class SpringTransactionTest {

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a post published in a Spring transaction takes effect if the transaction commits")
    void publish(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind);
                JdbcFeedStore store = database.store();
                FeedEngine feed = FeedEngine.builder(store)
                        .clock(database.clock())
                        .workers(0)
                        .build()) {
            DataSource proxy = new TransactionAwareDataSourceProxy(database.dataSource());
            TransactionTemplate transactions =
                    new TransactionTemplate(new DataSourceTransactionManager(database.dataSource()));
            execute(database.dataSource(), "CREATE TABLE article (id varchar(64) PRIMARY KEY)");
            feed.follow("ann", "bob");
            feed.read("ann", PageRequest.first(10));
            assertThat(transactions.<Published>execute(status -> write(feed, proxy, "kept")))
                    .isNotNull();
            transactions.execute(status -> undone(status, write(feed, proxy, "undone")));
            feed.fanout().drain();
            assertThat(feed.read("ann", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactly("kept");
            assertThat(transactions.<Published>execute(status -> write(feed, proxy, "undone")))
                    .as("can be published after all")
                    .isNotNull();
            feed.fanout().drain();
            assertThat(feed.read("ann", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactlyInAnyOrder("kept", "undone");
        }
    }

    private static Published undone(TransactionStatus status, Published published) {
        status.setRollbackOnly();
        return published;
    }

    private static Published write(FeedEngine feed, DataSource proxy, String id) {
        try (Connection connection = proxy.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO article (id) VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
            return feed.publish(Post.of("bob", id, 1_767_225_600_000L), JdbcTransaction.of(connection));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a store can be built if Spring's classes are present in part and cannot be linked")
    void unlinkedSpring() {
        ClassLoader unlinked = new ClassLoader(SpringTransactionTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.equals(TransactionAwareDataSourceProxy.class.getName())) {
                    throw new NoClassDefFoundError(name);
                }
                return super.loadClass(name, resolve);
            }
        };
        try (TestDatabase database = TestDatabase.of(Kind.H2)) {
            DataSource host = (DataSource) Proxy.newProxyInstance(
                    unlinked,
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> method.invoke(database.dataSource(), arguments));
            try (JdbcFeedStore store = JdbcFeedStore.builder(host)
                    .maintenanceInterval(Duration.ZERO)
                    .build()) {
                assertThat(store.purge(1)).isZero();
            }
        }
    }

    @ParameterizedTest
    @Tag("once")
    @EnumSource(names = "H2")
    @DisplayName("the transaction-aware proxy is refused, also behind another wrapper")
    void refused(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            DataSource proxy = new TransactionAwareDataSourceProxy(database.dataSource());
            assertThatThrownBy(() -> JdbcFeedStore.create(proxy))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("JdbcTransaction");
            assertThatThrownBy(() -> JdbcFeedStore.create(new DelegatingDataSource(proxy)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("JdbcTransaction");
        }
    }
}
