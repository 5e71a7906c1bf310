package io.feedkit.bench.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FollowCounts;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the SQL figures stand on")
class PostgresQueriesTest {

    private static BenchDatabase database;

    @BeforeAll
    static void open() {
        database = BenchDatabase.open(Optional.empty());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    @DisplayName("loaded inboxes are live, and as full as the store believes")
    void inboxes() {
        InboxLoad.createHandMade(database);
        new InboxLoad(1, 11, 100, 12).into(database);
        try (JdbcFeedStore store = database.store()) {
            List<Slice> slices = store.inbox(new InboxLimits(1000, 60_000)).slice(List.of(slice(1), slice(10)));
            assertThat(slices).extracting(slice -> slice.state().name()).containsOnly("LIVE");
            assertThat(slices).extracting(slice -> slice.posts().size()).containsExactly(101, 110);
        }
        assertThat(number("SELECT count(*) FROM ${inbox} b WHERE entries = (SELECT count(*) FROM "
                        + "${inbox_entry} e WHERE e.reader = b.reader)"))
                .isEqualTo(10);
        assertThat(number("SELECT count(*) FROM ${hand_entry}"))
                .isEqualTo(number("SELECT count(*) FROM ${inbox_entry}"));
        try (HandInboxes hand = new HandInboxes(database)) {
            Post post = Post.of("star", "1", 1_800_000_000_000L);
            assertThat(hand.deliver(post, List.of(FollowLoad.user(1), FollowLoad.user(99))))
                    .isEqualTo(1);
            assertThat(hand.deliverSingly(post, List.of(FollowLoad.user(1), FollowLoad.user(2))))
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("loaded followers are paged and counted by the store")
    void followers() {
        FollowLoad.follow(database, "star", 100);
        FollowLoad.follow(database, "few", 10);
        try (JdbcFeedStore store = database.store()) {
            assertThat(store.graph().counts(Set.of("star", "few", FollowLoad.user(1))))
                    .containsEntry("star", new FollowCounts(100, 0))
                    .containsEntry("few", new FollowCounts(10, 0))
                    .containsEntry(FollowLoad.user(1), new FollowCounts(0, 2));
        }
    }

    @Test
    @DisplayName("a post by hand is the one that the store publishes")
    void publish() {
        try (HandPublish hand = new HandPublish(database);
                JdbcFeedStore store = database.store()) {
            hand.publish("bob", "1");
            assertThat(store.outbox()
                            .newest(List.of("bob"), PositionRange.ALL, 1)
                            .get(0))
                    .extracting(Post::id)
                    .containsExactly("1");
            assertThat(store.outbox().fanout().claim(10, 1000))
                    .extracting(claim -> claim.task().post().id())
                    .containsExactly("1");
        }
    }

    @Test
    @DisplayName("a queue by hand gives each task out once")
    void queue() {
        HandQueue.create(database);
        HandQueue.fill(database, 10);
        try (HandQueue one = new HandQueue(database);
                HandQueue other = new HandQueue(database)) {
            List<Long> ids = one.claim(7);
            assertThat(ids).hasSize(7);
            assertThat(other.claim(7)).hasSize(3).doesNotContainAnyElementsOf(ids);
            one.finish(ids);
        }
        assertThat(number("SELECT count(*) FROM ${hand_task}")).isEqualTo(3);
    }

    @Test
    @DisplayName("pages by hand are alike, however far back the last one reached")
    void pages() {
        PostLoad even = new PostLoad("even", 5, false);
        PostLoad skewed = new PostLoad("skew", 5, true);
        even.into(database);
        skewed.into(database);
        try (HandPages hand = new HandPages(database)) {
            for (PostLoad load : List.of(skewed, even, skewed)) {
                for (List<String> authors : load.followees(3, 2)) {
                    assertThat(hand.bounded(authors))
                            .hasSize(HandPages.PAGE)
                            .isEqualTo(hand.lateral(authors))
                            .isEqualTo(hand.plain(authors));
                }
            }
        }
    }

    @Test
    @DisplayName("statements, commits and rollbacks are counted")
    void roundTrips() throws SQLException {
        RoundTrips trips = new RoundTrips();
        try (HikariDataSource pool = database.pool(trips);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            long before = trips.count();
            statement.execute("SELECT 1");
            connection.setAutoCommit(false);
            connection.prepareStatement("SELECT 1").executeQuery();
            connection.commit();
            connection.rollback();
            assertThat(trips.count() - before).isEqualTo(4);
        }
    }

    private static SliceQuery slice(int reader) {
        return new SliceQuery(FollowLoad.user(reader), PositionRange.ALL, Order.NEWEST_FIRST, 200, false);
    }

    private static long number(String query) {
        return Sql.call(() -> {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery(database.sql(query))) {
                rows.next();
                return rows.getLong(1);
            }
        });
    }
}
