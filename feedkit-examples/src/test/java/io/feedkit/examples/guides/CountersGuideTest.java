package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Newest;
import io.feedkit.counter.Reactions.Page;
import io.feedkit.counter.Views;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testservers.RedisServer;
import io.feedkit.unread.Conversations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the guide to unread counts shows of other counters, transactions and Redis. */
@DisplayName("The guide to unread counts, on other counters and stores")
class CountersGuideTest {

    private final CounterStore store = InMemoryCounterStore.create();

    @Test
    @DisplayName("counts, reacts and views")
    void counters() {
        // guide
        Counters counters = Counters.of(store);
        counters.add("shares", "post-1", 1);
        long shares = counters.get("shares", "post-1");

        Reactions likes = Reactions.of(store);
        boolean isNew = likes.add("ann", "post-1"); // false if repeated: notify the author only if true
        long count = likes.get("post-1");
        Set<String> liked = likes.reacted("ann", List.of("post-1", "post-2"));
        Newest who = likes.newest("post-1", 20);
        Page page = likes.posts("ann", 50); // Ann's likes; page.older() leads to the next page

        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        votes.choose("ann", "post-1", "up");
        votes.choose("ann", "post-1", "down"); // replaces "up" in one step

        Views views = Views.of(store, Duration.ofMinutes(30), Clock.systemUTC());
        boolean counted = views.add("ann", "post-1"); // once per user and half hour
        // end
        assertThat(shares).isOne();
        assertThat(isNew).isTrue();
        assertThat(count).isOne();
        assertThat(who.users()).containsExactly("ann");
        assertThat(page.posts()).containsExactly("post-1");
        assertThat(votes.get(List.of("post-1"))).containsExactly(Map.of("down", 1L));
        assertThat(liked).containsExactly("post-1");
        assertThat(counted).isTrue();
        assertThat(views.add("ann", "post-1")).isFalse();
    }

    @Test
    @DisplayName("counts in a transaction of the host's")
    void transaction() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcSchema.of(dataSource).create();
        try (JdbcCounterStore before = JdbcCounterStore.create(dataSource);
                Connection connection = dataSource.getConnection()) {
            Conversations.of(before).join("talk", "ann");
            connection.setAutoCommit(false);
            // guide
            JdbcCounterStore sql = JdbcCounterStore.create(dataSource);
            FeedCounters counters = FeedCounters.of(sql);
            FeedCounters joined = counters.in(JdbcTransaction.of(connection)); // autocommit is off
            long number = joined.conversations().add("talk", "ann"); // and INSERT the message
            connection.commit(); // both, or neither
            // end
            sql.close();
            assertThat(number).isOne();
        }
    }

    @Test
    @DisplayName("counts in SQL behind Redis")
    void behindRedis() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcSchema.of(dataSource).create();
        String redis = RedisServer.shared().uri();
        // guide
        JdbcCounterStore sql = JdbcCounterStore.create(dataSource);
        WriteBehindCounterStore store = WriteBehindCounterStore.create(RedisServers.at(redis), sql);
        Counters counters = Counters.of(store);
        counters.add("plays", "song", 1); // to Redis, and within a second to SQL
        counters.add("plays", "song", 1, "play-4711"); // to SQL at once
        long plays = counters.get("plays", "song"); // 2: a read adds both
        // end
        store.close();
        assertThat(plays).isEqualTo(2);
        assertThat(Counters.of(sql).get("plays", "song")).isEqualTo(2);
        sql.close();
    }
}
