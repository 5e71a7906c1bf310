package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.ForeignStoreException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.jdbc.TestDatabase.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("An archive in SQL")
class JdbcArchiveTest {

    private static final int OLD = 30;
    private static final int RECENT = 10;

    private final Kind kind;
    private final TestDatabase database;
    private final Instant begin;

    JdbcArchiveTest(Kind kind) {
        this.kind = kind;
        database = TestDatabase.lent(kind);
        begin = database.clock().instant();
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    private FeedEngineBuilder engine(JdbcFeedStore store, JdbcPostArchive archive) {
        return FeedEngine.builder(store)
                .clock(database.clock())
                .workers(0)
                .cap(10)
                .archive(archive)
                .archiving(archiving -> archiving.after(Duration.ofDays(3)).batchSize(8));
    }

    private Post post(int n) {
        Instant limit = begin.minus(Duration.ofDays(3));
        return new Post(n % 3 == 0 ? "bob" : "cat", "p" + n, limit.plus(Duration.ofMinutes(30L * (n - OLD) + 10)));
    }

    private void fill(FeedEngine feed) {
        feed.followAll("ann", List.of("bob", "cat"));
        feed.importPosts(IntStream.range(0, OLD + RECENT).mapToObj(this::post).toList());
        feed.fanout().drain();
        database.clock().advance(Duration.ofSeconds(5));
    }

    private static List<Post> walk(FeedEngine feed) {
        FeedPage<Post> page = feed.read("ann", PageRequest.first(6));
        List<Post> walked = new ArrayList<>(page.items());
        while (page.older().isPresent()) {
            page = feed.read("ann", PageRequest.older(page.older().get(), 6));
            walked.addAll(page.items());
        }
        return walked;
    }

    private int count(String table) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                var found = statement.executeQuery("SELECT count(*) FROM feedkit_" + table)) {
            found.next();
            return found.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("in the database of the posts keeps the feed, and its rows leave the table of posts")
    void sameDatabase() {
        JdbcPostArchive archive = TestArchives.empty(database);
        try (FeedEngine feed = engine(database.store(), archive).build()) {
            fill(feed);
            List<Post> before = walk(feed);
            assertThat(before).hasSize(OLD + RECENT);
            assertThat(feed.archivePosts()).isEqualTo(OLD);
            assertThat(count("post")).isEqualTo(RECENT);
            assertThat(count("archive_post")).isEqualTo(OLD);
            assertThat(walk(feed)).isEqualTo(before);
            assertThat(feed.unread("ann").count()).isEqualTo(OLD + RECENT);
            assertThat(feed.publish(post(0))).isEqualTo(new Published(Published.Status.SAME, post(0)));
            assertThat(feed.delete(post(0).author(), post(0).id())).isTrue();
            before.remove(post(0));
            assertThat(walk(feed)).isEqualTo(before);
            feed.fanout().drain();
            database.clock().advance(Duration.ofMinutes(1));
            feed.fanout().drain();
            assertThat(archive.size()).isEqualTo(OLD - 1);
            assertThat(feed.publish(post(0)).status()).isEqualTo(Published.Status.DELETED);
        }
    }

    @Test
    @DisplayName("takes no second connection of a host's pool for posts of a transaction, old or new, or for deletes")
    void oneConnection() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(2_000);
        JdbcPostArchive.createTables(database.dataSource());
        TestArchives.empty(database);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcFeedStore store = JdbcFeedStore.builder(pool)
                        .clock(database.clock())
                        .maintenanceInterval(Duration.ZERO)
                        .build();
                FeedEngine feed = engine(store, JdbcPostArchive.of(pool)).build()) {
            fill(feed);
            feed.archivePosts();
            for (boolean commit : List.of(false, true)) {
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    JdbcTransaction transaction = JdbcTransaction.of(connection);
                    assertThat(feed.publish(post(1), transaction))
                            .isEqualTo(new Published(Published.Status.SAME, post(1)));
                    Post old = new Post("bob", "never", post(1).publishedAt());
                    assertThat(feed.publish(old, transaction).status()).isEqualTo(Published.Status.NEW);
                    assertThat(feed.delete(new PostKey("cat", "p2"), transaction))
                            .isTrue();
                    assertThat(feed.delete(new PostKey("bob", "unseen"), transaction))
                            .isFalse();
                    if (commit) {
                        connection.commit();
                    } else {
                        connection.rollback();
                    }
                }
                feed.fanout().drain();
                assertThat(walk(feed)).hasSize(OLD + RECENT);
            }
            assertThat(walk(feed))
                    .doesNotContain(post(2))
                    .anyMatch(post -> post.id().equals("never"));
        }
    }

    @Test
    @DisplayName("may be in another database, in any schema of tables, and outlives its engines")
    void otherDatabase() {
        try (TestDatabase other = TestDatabase.lent(Kind.H2)) {
            JdbcPostArchive archive = TestArchives.empty(other);
            List<Post> before;
            try (FeedEngine feed = engine(database.store(), archive).build()) {
                fill(feed);
                before = walk(feed);
                assertThat(feed.archivePosts()).isEqualTo(OLD);
                assertThat(walk(feed)).isEqualTo(before);
            }
            try (FeedEngine feed = engine(database.store(), JdbcPostArchive.of(other.dataSource()))
                    .build()) {
                assertThat(walk(feed)).isEqualTo(before);
                assertThat(feed.archivePosts()).isZero();
            }
            try (TestDatabase third = TestDatabase.lent(kind)) {
                assertThatThrownBy(() -> engine(third.store(), archive).build())
                        .isInstanceOf(ForeignStoreException.class)
                        .hasMessageContainingAll(
                                "feedkit_archive_post",
                                database.store().outbox().identity(),
                                third.store().outbox().identity());
            }
        }
    }

    @Test
    @DisplayName("is refused without its tables, and the message says how to create them")
    void noTables() {
        assertThatThrownBy(() -> JdbcPostArchive.of(database.dataSource(), "", "missing_"))
                .isInstanceOf(SchemaVersionException.class)
                .hasMessageContainingAll("missing_archive_", "JdbcPostArchive.createTables()", "feedkit-jdbc/archive/");
        assertThatThrownBy(() -> JdbcPostArchive.of(database.dataSource(), "", "Bad"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("prefix", "Bad");
    }

    @Test
    @DisplayName("of a host with its own table of posts remembers FeedKit's rows, and the host's rows stay")
    void hostTable() {
        HostTable table = HostTable.create(database, kind);
        JdbcPostArchive archive = TestArchives.empty(database);
        try (JdbcFeedStore store = JdbcFeedStore.builder(database.dataSource())
                        .clock(database.clock())
                        .posts(HostTable.MAPPING)
                        .maintenanceInterval(Duration.ZERO)
                        .build();
                FeedEngine feed = engine(store, archive).build()) {
            IntStream.range(0, OLD + RECENT).mapToObj(this::post).forEach(table::insert);
            fill(feed);
            List<Post> before = walk(feed);
            assertThat(before).hasSize(OLD + RECENT);
            assertThat(feed.archivePosts()).isEqualTo(OLD);
            assertThat(count("post")).isEqualTo(RECENT);
            assertThat(walk(feed)).isEqualTo(before);
            assertThat(feed.publish(post(1))).isEqualTo(new Published(Published.Status.SAME, post(1)));
            assertThat(feed.delete(post(0).author(), post(0).id())).isTrue();
            before.remove(post(0));
            assertThat(walk(feed)).isEqualTo(before);
            // A host that removes a row of its own has removed the post, whatever the archive has.
            table.execute("DELETE FROM article WHERE id = '" + post(1).id() + "'");
            before.remove(post(1));
            feed.refresh("ann");
            assertThat(walk(feed)).isEqualTo(before);
        }
    }
}
