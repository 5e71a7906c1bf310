package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

@DisplayName("A host's own table of posts")
class HostTableTest {

    private static final long EVENING = 1_767_225_600_000L - 3_600_000;
    private static final Post FIRST = Post.of("bob", "1", EVENING);
    private static final Post SECOND = Post.of("bob", "2", EVENING + 1000);

    private interface Body {
        void run(HostTable table, Outbox outbox, FeedEngine feed) throws SQLException;
    }

    private static void on(Kind kind, Body body) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostTable table = HostTable.create(database, kind);
            try (JdbcFeedStore store = store(database, HostTable.MAPPING);
                    FeedEngine feed = FeedEngine.builder(store)
                            .clock(database.clock())
                            .workers(0)
                            .build()) {
                body.run(table, store.outbox(), feed);
            }
        }
    }

    private static JdbcFeedStore store(TestDatabase database, PostsTable posts) {
        return JdbcFeedStore.builder(database.dataSource())
                .posts(posts)
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private static List<Post> feed(FeedEngine feed) {
        return feed.read("ann", PageRequest.first(10)).items();
    }

    /** How many posts Bob has. */
    private static int count(Outbox outbox) {
        return outbox.count(List.of(new CountQuery(Set.of("bob"), PositionRange.ALL, 10)))
                .get(0)
                .above();
    }

    private static List<Post> byBob(FeedEngine feed) {
        return feed.readAuthor("bob", PageRequest.first(10)).items();
    }

    private static long ledgerRows(HostTable table) throws SQLException {
        try (Connection connection = table.database().dataSource().getConnection();
                ResultSet rows = connection.createStatement().executeQuery("SELECT count(*) FROM feedkit_post")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("shows rows that were never published in the author's page, in new feeds, as existing, and in counts")
    void history(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            table.insert(FIRST, SECOND, Post.of("cid", "1", EVENING));
            feed.follow("ann", "bob");
            assertThat(feed(feed)).containsExactly(SECOND, FIRST);
            assertThat(byBob(feed)).containsExactly(SECOND, FIRST);
            assertThat(outbox.existing(
                            List.of(FIRST.key(), Post.of("bob", "3", EVENING).key())))
                    .isEqualTo(Map.of(FIRST.key(), FIRST));
            assertThat(count(outbox)).isEqualTo(2);
            assertThat(outbox.lastAppended(List.of("bob"))).isEmpty();
            assertThat(ledgerRows(table)).isZero();
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("lets an existing row be published once, which delivers it to its readers")
    void publishHistory(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            feed.follow("ann", "bob");
            assertThat(feed(feed)).isEmpty();
            table.insert(FIRST);
            assertThat(feed.publish(FIRST).status()).isEqualTo(Status.NEW);
            assertThat(feed.publish(FIRST).status()).isEqualTo(Status.SAME);
            assertThat(feed.fanout().backlog().tasks()).isOne();
            feed.fanout().drain();
            assertThat(feed(feed)).containsExactly(FIRST);
            assertThat(outbox.lastAppended(List.of("bob"))).containsOnlyKeys("bob");
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("commits a row and its publication together, or neither")
    void transaction(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            for (boolean commit : new boolean[] {false, true}) {
                try (Connection connection = table.database().dataSource().getConnection()) {
                    connection.setAutoCommit(false);
                    table.insert(connection, List.of(FIRST));
                    assertThat(feed.publish(FIRST, JdbcTransaction.of(connection))
                                    .status())
                            .isEqualTo(Status.NEW);
                    assertThat(byBob(feed)).isEmpty();
                    if (commit) {
                        connection.commit();
                    } else {
                        connection.rollback();
                    }
                }
                assertThat(byBob(feed)).hasSize(commit ? 1 : 0);
                assertThat(feed.fanout().backlog().tasks()).isEqualTo(commit ? 1 : 0);
            }
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("refuses a whole batch if a post has no row, or a row with another time")
    void refused(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            table.insert(FIRST, SECOND);
            Post none = Post.of("bob", "3", EVENING);
            assertThatThrownBy(() -> feed.publishAll(List.of(FIRST, none)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("article")
                    .hasMessageContaining(none.key().toString());
            Post other = Post.of("bob", "2", EVENING + 1001);
            assertThatThrownBy(() -> feed.publishAll(List.of(FIRST, other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(SECOND.publishedAt().toString())
                    .hasMessageContaining(other.publishedAt().toString());
            assertThat(ledgerRows(table)).isZero();
            assertThat(feed.fanout().backlog().tasks()).isZero();
            assertThat(feed.publish(SECOND).status()).isEqualTo(Status.NEW);
            assertThat(feed.publish(other).post()).isEqualTo(SECOND);
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("keeps the rows of deleted posts, which leave all feeds and cannot be published again")
    void deleteHistory(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            table.insert(FIRST, SECOND);
            feed.follow("ann", "bob");
            assertThat(feed(feed)).hasSize(2);
            assertThat(feed.delete("bob", "1")).isTrue();
            assertThat(feed.delete("bob", "1")).isFalse();
            assertThat(RegisterSnapshot.of(outbox.pulled()).retracting()).containsExactly(FIRST.key());
            assertThat(feed(feed)).containsExactly(SECOND);
            assertThat(outbox.fanout().claim(9, 60_000))
                    .singleElement()
                    .satisfies(claim -> assertThat(claim.task().key()).isEqualTo(FIRST.key()));
            assertThat(byBob(feed)).containsExactly(SECOND);
            assertThat(feed.publish(FIRST).status()).isEqualTo(Status.DELETED);
            assertThat(count(outbox)).isEqualTo(1);
            assertThat(outbox.lastAppended(List.of("bob"))).isEmpty();
            table.insert(Post.of("bob", "4", EVENING));
            assertThat(feed.delete("bob", "5")).isFalse();
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("loses a post whose row the host deletes; a later delete still removes it from feeds")
    void rowGone(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            feed.follow("ann", "bob");
            assertThat(feed(feed)).isEmpty();
            table.insert(FIRST, SECOND);
            feed.publishAll(List.of(FIRST, SECOND));
            feed.fanout().drain();
            table.execute("DELETE FROM article WHERE id = '1'");
            assertThat(byBob(feed)).containsExactly(SECOND);
            assertThat(outbox.existing(Set.of(FIRST.key()))).isEmpty();
            assertThat(feed.delete("bob", "1")).isTrue();
            feed.fanout().drain();
            assertThat(feed(feed)).containsExactly(SECOND);
        });
    }

    private static void move(HostTable table, Post to) {
        table.execute(
                "UPDATE article SET created_at = " + to.publishedAt().toEpochMilli() + " WHERE id = '" + to.id() + "'");
    }

    private static long entries(HostTable table, Post post) throws SQLException {
        try (Connection connection = table.database().dataSource().getConnection();
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("SELECT count(*) FROM feedkit_inbox_entry WHERE id = '" + post.id() + "'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("moves a post in feeds when the host changes its time: delivered posts with the next refresh, others "
            + "when they are delivered")
    void movedRow(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            feed.follow("ann", "bob");
            assertThat(feed(feed)).isEmpty();
            table.insert(FIRST, SECOND);
            feed.publish(FIRST);
            feed.fanout().drain();
            feed.publish(SECOND);
            Post first = Post.of("bob", "1", EVENING + 5000);
            Post second = Post.of("bob", "2", EVENING - 5000);
            move(table, first);
            move(table, second);
            feed.fanout().drain();
            assertThat(entries(table, second)).isEqualTo(1);
            assertThat(feed.refresh("ann")).isEqualTo(1);
            assertThat(feed(feed)).containsExactly(first, second);
            assertThat(entries(table, first)).isEqualTo(1);
            assertThat(feed.unread("ann").count()).isEqualTo(2);
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("takes a deleted post out of feeds at whatever time it stands there, also if its row is gone before")
    void movedAndDeleted(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            feed.follow("ann", "bob");
            assertThat(feed(feed)).isEmpty();
            table.insert(FIRST, SECOND);
            feed.publishAll(List.of(FIRST, SECOND));
            feed.fanout().drain();
            move(table, Post.of("bob", "1", EVENING + 5000));
            move(table, Post.of("bob", "2", EVENING + 6000));
            feed.refresh("ann");
            table.execute("DELETE FROM article WHERE id = '2'");
            assertThat(feed.deleteAll(List.of(FIRST.key(), SECOND.key()))).containsExactly(true, true);
            feed.fanout().drain();
            table.database().clock().advance(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2));
            feed.fanout().drain();
            assertThat(entries(table, FIRST)).isZero();
            assertThat(entries(table, SECOND)).isZero();
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("takes a deleted row that was never published out of feeds, at whatever time it stands there")
    void movedHistoryDeleted(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            table.insert(FIRST, SECOND);
            feed.follow("ann", "bob");
            assertThat(feed(feed)).containsExactly(SECOND, FIRST);
            move(table, Post.of("bob", "1", EVENING + 5000));
            assertThat(feed.delete("bob", "1")).isTrue();
            assertThat(feed(feed)).containsExactly(SECOND);
            feed.fanout().drain();
            table.database().clock().advance(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2));
            feed.fanout().drain();
            assertThat(entries(table, FIRST)).isZero();
            assertThat(feed(feed)).containsExactly(SECOND);
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("may have rows that are not posts: without a time, or with an illegal id")
    void noPosts(Kind kind) throws SQLException {
        on(kind, (table, outbox, feed) -> {
            table.insert(FIRST);
            table.execute(
                    "INSERT INTO article (writer, id, created_at) VALUES ('bob', 'draft', NULL)",
                    "INSERT INTO article (writer, id, created_at) VALUES ('bob', 'a b', " + EVENING + ")",
                    "INSERT INTO article (writer, id, created_at) VALUES ('bob', '', " + EVENING + ")",
                    "INSERT INTO article (writer, id, created_at) VALUES ('bob', 'old', -1)");
            assertThat(byBob(feed)).containsExactly(FIRST);
            assertThat(count(outbox)).isEqualTo(1);
            assertThatThrownBy(() -> feed.publish(Post.of("bob", "draft", EVENING)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("draft");
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("may have numbers as ids, and timestamps; equal times are in the order of ids as text")
    void numbersAndTimestamps(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostTable table = new HostTable(database, kind);
            String type = kind.isMySql() ? "datetime(6)" : "timestamp(6)";
            table.execute(
                    "DROP TABLE IF EXISTS note",
                    "CREATE TABLE note (id bigint PRIMARY KEY, user_id integer, at " + type + ")",
                    "INSERT INTO note VALUES (9, 7, '2025-12-31 23:00:00.123999')",
                    "INSERT INTO note VALUES (10, 7, '2025-12-31 23:00:00.123000')",
                    "INSERT INTO note VALUES (8, 7, '2025-12-31 23:00:00.122999')",
                    "INSERT INTO note VALUES (11, 8, '2025-12-31 23:00:00')");
            PostsTable mapping =
                    PostsTable.named("note").author("user_id").publishedAt("at", PostsTable.Time.TIMESTAMP);
            try (JdbcFeedStore store = store(database, mapping)) {
                List<Post> expected = List.of(
                        Post.of("7", "9", EVENING + 123),
                        Post.of("7", "10", EVENING + 123),
                        Post.of("7", "8", EVENING + 122));
                assertThat(store.outbox().newest(List.of("7", "x", "07"), PositionRange.ALL, 5))
                        .containsExactly(expected, List.of(), List.of());
                assertThat(store.outbox().newest(List.of("7"), PositionRange.ALL, 1))
                        .containsExactly(expected.subList(0, 1));
                assertThat(store.outbox()
                                .delete(List.of(
                                        expected.get(0).key(),
                                        Post.of("7", "09", EVENING).key())))
                        .containsExactly(true, false);
                assertThat(store.outbox()
                                .existing(List.of(
                                        expected.get(0).key(), expected.get(1).key())))
                        .isEqualTo(Map.of(expected.get(1).key(), expected.get(1)));
            }
        }
    }
}
