package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FollowCounts;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Follows that the host reports in the transaction that writes them to its own table. */
class ReportedFollowsTest {

    private static final PageRequest FIRST = PageRequest.first(100);

    /** The host's table. */
    private record HostsFollows(Jdbi jdbi) implements FollowGraph {

        void create() {
            jdbi.useHandle(handle -> handle.execute("CREATE TABLE host_follows (follower varchar(64) NOT NULL,"
                    + " followee varchar(64) NOT NULL, PRIMARY KEY (follower, followee))"));
        }

        @Override
        public List<IdPage> followers(List<FollowerQuery> queries) {
            return queries.stream()
                    .map(query -> page("follower", "followee", query.author(), query.after(), query.limit()))
                    .toList();
        }

        @Override
        public IdPage followees(String reader, String after, int limit) {
            return page("followee", "follower", reader, after, limit);
        }

        private IdPage page(String wanted, String known, String id, String after, int limit) {
            List<String> above = ids(wanted, known, id).stream()
                    .filter(each -> each.compareTo(after) > 0)
                    .sorted()
                    .toList();
            return new IdPage(above.subList(0, Math.min(limit, above.size())), above.size() > limit);
        }

        private List<String> ids(String wanted, String known, String id) {
            return jdbi.withHandle(
                    handle -> handle.createQuery("SELECT " + wanted + " FROM host_follows WHERE " + known + " = ?")
                            .bind(0, id)
                            .mapTo(String.class)
                            .list());
        }

        @Override
        public Set<String> followed(String reader, Collection<String> authors) {
            Set<String> followed = new HashSet<>(ids("followee", "follower", reader));
            followed.retainAll(authors);
            return followed;
        }

        @Override
        public Map<String, FollowCounts> counts(Collection<String> users) {
            Map<String, FollowCounts> counts = new HashMap<>();
            for (String user : users) {
                counts.put(
                        user,
                        new FollowCounts(
                                ids("follower", "followee", user).size(),
                                ids("followee", "follower", user).size()));
            }
            return counts;
        }
    }

    private static HikariDataSource pool(TestDatabase database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(1000);
        return new HikariDataSource(config);
    }

    private static Connection begin(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void write(Connection connection, String sql, String follower, String followee) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, follower);
            statement.setString(2, followee);
            assertThat(statement.executeUpdate()).isOne();
        }
    }

    private static void insert(Connection connection, String follower, String followee) throws SQLException {
        write(connection, "INSERT INTO host_follows (follower, followee) VALUES (?, ?)", follower, followee);
    }

    private static void delete(Connection connection, String follower, String followee) throws SQLException {
        write(connection, "DELETE FROM host_follows WHERE follower = ? AND followee = ?", follower, followee);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @Timeout(60)
    @DisplayName("show after the commit without a further call, never after a rollback, and need no connection")
    void followInTransaction(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.of(kind);
                HikariDataSource pool = pool(database, 2);
                HikariDataSource single = pool(database, 1);
                JdbcFeedStore sql = JdbcFeedStore.builder(single)
                        .clock(database.clock())
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            HostsFollows table = new HostsFollows(Jdbi.create(single));
            table.create();
            FeedStore store = FeedStore.of(sql.outbox(), sql::inbox, table, sql.seenMarks());
            try (FeedEngine feed = FeedEngine.builder(store)
                            .clock(database.clock())
                            .workers(0)
                            .build();
                    FeedEngine other = FeedEngine.builder(store)
                            .clock(database.clock())
                            .workers(0)
                            .build()) {
                try (Connection connection = begin(pool)) {
                    insert(connection, "ann", "zoe");
                    connection.commit();
                }
                Post post = feed.publish("bob", "p1").post();
                assertThat(feed.read("ann", FIRST).items()).isEmpty();
                assertThat(other.read("ann", FIRST).items()).isEmpty();

                try (Connection connection = begin(single)) {
                    insert(connection, "ann", "bob");
                    feed.hostGraph().followed("ann", "bob", JdbcTransaction.of(connection));
                    connection.rollback();
                }
                assertThat(feed.read("ann", FIRST).items()).isEmpty();

                try (Connection connection = begin(single)) {
                    insert(connection, "ann", "bob");
                    feed.hostGraph().followed("ann", "bob", JdbcTransaction.of(connection));
                    connection.commit();
                }
                assertThat(feed.read("ann", FIRST).items()).containsExactly(post);
                assertThat(other.read("ann", FIRST).items()).containsExactly(post);

                try (Connection connection = begin(pool)) {
                    delete(connection, "ann", "bob");
                    feed.hostGraph().unfollowed("ann", "bob", JdbcTransaction.of(connection));
                    connection.commit();
                }
                feed.fanout().drain();
                assertThat(other.read("ann", FIRST).items()).isEmpty();
                assertThat(feed.read("ann", FIRST).items()).isEmpty();

                try (Connection connection = pool.getConnection()) {
                    JdbcTransaction none = JdbcTransaction.of(connection);
                    assertThatThrownBy(() -> feed.hostGraph().followed("ann", "bob", none))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("transaction");
                }
            }
        }
    }
}
