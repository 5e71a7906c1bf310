package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FollowCounts;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.health.Health;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.host.HostFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.FollowGraphCompatibilityKit.UserIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A host's own table of follows")
class HostFollowsTest {

    private static final FollowsTable ODD = FollowsTable.named("odd");

    private static JdbcFeedStore store(TestDatabase database, FollowsTable follows) {
        return JdbcFeedStore.builder(database.dataSource())
                .follows(follows)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName(
            "is the graph of feeds, by a line of code: follows show after a report, also in the host's transaction")
    void feeds(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostFollows follows = HostFollows.create(database, kind, UserIds.NUMBERS);
            try (JdbcFeedStore store = store(database, follows.mapping());
                    FeedEngine feed = FeedEngine.builder(store)
                            .policy(FanoutPolicy.hybrid(2))
                            .workers(0)
                            .build()) {
                follows.insert(List.of(new Edge("7", "10"), new Edge("8", "10")));
                assertThat(feed.read("7", PageRequest.first(10)).items()).isEmpty();
                feed.publish("10", "post-1");
                feed.publish("9", "post-2");
                feed.fanout().drain();
                assertThat(ids(feed, "7")).containsExactly("post-1");
                follows.insert(List.of(new Edge("7", "9")));
                feed.hostGraph().followed("7", "9");
                assertThat(ids(feed, "7")).containsExactlyInAnyOrder("post-1", "post-2");
                assertThat(feed.followers("10", 10).ids()).containsExactly("7", "8");
                assertThat(feed.followees("7", 10).ids()).containsExactly("10", "9");
                assertThat(feed.followCounts("7")).isEqualTo(new FollowCounts(0, 2));
                try (Connection connection = database.dataSource().getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute("DELETE FROM " + follows.table() + " WHERE follower_id = 7 AND followee_id = 10");
                    feed.hostGraph().unfollowed("7", "10", JdbcTransaction.of(connection));
                    feed.publish(Post.of("9", "post-3", System.currentTimeMillis()), JdbcTransaction.of(connection));
                    connection.commit();
                    connection.setAutoCommit(true);
                }
                feed.fanout().drain();
                assertThat(ids(feed, "7")).containsExactlyInAnyOrder("post-2", "post-3");
            }
        }
    }

    private static List<String> ids(FeedEngine feed, String reader) {
        return feed.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("has users of other kinds of ids, who have no edges, and numbers only as the database writes them")
    void otherIds(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostFollows follows = HostFollows.create(database, kind, UserIds.NUMBERS);
            follows.insert(List.of(new Edge("7", "10")));
            follows.execute(
                    "INSERT INTO " + follows.table() + " (follower_id, followee_id) VALUES (NULL, 10), (7, NULL)");
            HostFollowGraph graph = HostFollowGraph.of(database.database(), follows.mapping());
            for (String other : List.of("ann", "07", "+7", "7.0", "99999999999999999999", "-0")) {
                assertThat(graph.followees(other, "", 10).ids()).as(other).isEmpty();
                assertThat(graph.followed("7", List.of(other))).as(other).isEmpty();
                assertThat(graph.followed(other, List.of("10"))).as(other).isEmpty();
                assertThat(graph.split(other, 4)).as(other).hasSize(1);
                assertThat(graph.counts(List.of(other))).as(other).isEmpty();
            }
            assertThat(graph.followees("7", "", 10).ids()).containsExactly("10");
            assertThat(graph.followed("7", List.of("ann", "10"))).isEqualTo(Set.of("10"));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("may have an edge twice, and ids that are not legal, which are no edges")
    void rows(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostFollows follows = new HostFollows(database, kind, UserIds.TEXT);
            follows.createWithoutIndexes();
            follows.insert(List.of(new Edge("ann", "bob"), new Edge("ann", "bob"), new Edge("cat", "bob")));
            follows.execute("INSERT INTO " + follows.table() + " (follower_id, followee_id) VALUES ('', 'bob'),"
                    + " ('a b', 'bob'), ('ann', 'two words'), (NULL, 'bob')");
            HostFollowGraph graph = HostFollowGraph.of(database.database(), follows.mapping());
            assertThat(graph.followees("ann", "", 10).ids()).containsExactly("bob");
            assertThat(graph.followees("ann", "", 1).ids()).containsExactly("bob");
            assertThat(graph.followees("ann", "bob", 10).ids()).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("needs two indexes: the statements that create them are known, and are what is missing")
    void indexes(Kind kind) {
        List<UserIds> all = kind.isMySql() ? List.of(UserIds.TEXT, UserIds.NUMBERS) : List.of(UserIds.values());
        for (UserIds ids : all) {
            try (TestDatabase database = TestDatabase.of(kind)) {
                HostFollows follows = new HostFollows(database, kind, ids);
                follows.createWithoutIndexes();
                HostFollowGraph graph = HostFollowGraph.of(database.database(), follows.mapping());
                List<String> missing = graph.missingIndexes(follows.mapping());
                assertThat(missing).hasSize(2);
                follows.execute(missing.get(0));
                assertThat(graph.missingIndexes(follows.mapping())).containsExactly(missing.get(1));
                follows.execute(missing.get(1));
                assertThat(graph.missingIndexes(follows.mapping())).isEmpty();
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("may be a view, whose indexes are not looked for")
    void view(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostFollows follows = new HostFollows(database, kind, UserIds.NUMBERS);
            follows.createWithoutIndexes();
            follows.execute("CREATE VIEW followings AS SELECT follower_id AS follower, followee_id AS followee FROM "
                    + follows.table() + " WHERE since = 0");
            try {
                follows.insert(List.of(new Edge("7", "10")));
                FollowsTable mapping = FollowsTable.named("followings");
                HostFollowGraph graph = HostFollowGraph.of(database.database(), mapping);
                assertThat(graph.missingIndexes(mapping)).isEmpty();
                assertThat(graph.followees("7", "", 10).ids()).containsExactly("10");
            } finally {
                follows.execute("DROP VIEW followings");
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName(
            "is refused when the store is built, if it or a column is missing, of a wrong type, or of another kind")
    void unfit(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            String binary = kind.isMySql() ? "CHARACTER SET ascii COLLATE ascii_bin" : "";
            new HostTable(database, kind)
                    .execute(
                            "DROP TABLE IF EXISTS odd",
                            "CREATE TABLE odd (follower bigint, followee bigint, name varchar(64) " + binary
                                    + ", price decimal(9,2))");
            assertRefused(database, FollowsTable.named("nowhere"), "follows must name", "no nowhere");
            assertRefused(database, ODD.follower("who"), "no column who");
            assertRefused(database, ODD.followee("price"), "odd.price");
            assertRefused(database, ODD.followee("name"), "columns of one kind");
            store(database, ODD).close();
        }
    }

    private static void assertRefused(TestDatabase database, FollowsTable follows, String... message) {
        assertThatThrownBy(() -> store(database, follows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(message);
    }

    @Test
    @DisplayName("with very many followers is counted once a minute")
    void largeCounts() {
        try (TestDatabase database = TestDatabase.of(Kind.H2)) {
            HostFollows follows = HostFollows.create(database, Kind.H2, UserIds.NUMBERS);
            HostFollowGraph graph = HostFollowGraph.of(database.database(), follows.mapping());
            follows.insert(IntStream.range(0, 10_000)
                    .mapToObj(i -> new Edge(Integer.toString(i), "10"))
                    .toList());
            FollowCounts counted = graph.counts(List.of("10")).get("10");
            assertThat(counted.followers()).isEqualTo(10_000);
            follows.execute("DELETE FROM " + follows.table());
            assertThat(graph.counts(List.of("10"))).containsEntry("10", counted);
            assertThat(graph.counts(List.of("10", "11"))).containsEntry("10", counted);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("is asked by a health check, whatever its ids are")
    void health(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            for (UserIds ids : kind.isMySql() ? List.of(UserIds.TEXT, UserIds.NUMBERS) : List.of(UserIds.values())) {
                HostFollows follows = HostFollows.create(database, kind, ids);
                try (JdbcFeedStore store = store(database, follows.mapping());
                        FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                    assertThat(feed.check(Duration.ofSeconds(20)).isUp()).isTrue();
                    follows.execute("DROP TABLE " + follows.table());
                    assertThat(feed.check(Duration.ofSeconds(20))
                                    .part(Health.Part.FOLLOW_GRAPH)
                                    .isUp())
                            .isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("once")
    @ValueSource(strings = {"", "Follows", "1st", "a b", "a;--", "a\"", "a.b", ":now", "${follow}"})
    @DisplayName("has plain identifiers")
    void names(String name) {
        assertThatThrownBy(() -> FollowsTable.named(name)).hasMessageContaining("follows' table must");
        assertThatThrownBy(() -> ODD.follower(name)).hasMessageContaining("follows' follower must");
        assertThatThrownBy(() -> ODD.followee(name)).hasMessageContaining("follows' followee must");
    }
}
