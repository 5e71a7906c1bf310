package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testservers.RedisServer;
import io.feedkit.unread.UnreadCounter;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of the reference of counters. Each part between "guide" and "end" is a block of it. */
@DisplayName("The reference of counters")
class CountersReferenceTest {

    private final CounterStore store = InMemoryCounterStore.create();

    @Test
    @DisplayName("counts in a transaction in SQL behind Redis")
    void behindRedisInTransaction() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcSchema.of(dataSource).create();
        try (JdbcCounterStore sql = JdbcCounterStore.create(dataSource);
                WriteBehindCounterStore store = WriteBehindCounterStore.builder(
                                RedisServers.at(RedisServer.shared().uri()), sql)
                        .prefix("guide-joined")
                        .build();
                Connection connection = dataSource.getConnection()) {
            UnreadCounter.of(store).add(List.of("ann"), "like", 3);
            connection.setAutoCommit(false);
            // guide
            FeedCounters joined = FeedCounters.of(store).in(JdbcTransaction.of(connection));
            joined.unread().markAllSeen("ann", "like"); // also what only Redis has
            connection.commit();
            // end
            assertThat(UnreadCounter.of(store).get("ann").total()).isZero();
        }
    }

    /** An event of the host's, with a number that rises. */
    private record Play(long number, String song) {}

    /** How many plays before a number the host's table has of each song. */
    private static Map<String, Long> playsBefore(long number, Set<String> songs, List<Play> table) {
        return table.stream()
                .filter(play -> play.number() < number && songs.contains(play.song()))
                .collect(Collectors.groupingBy(Play::song, Collectors.counting()));
    }

    private static void played(Counters counters, Play play, List<Play> table) {
        table.add(play);
        // guide
        long cut = 200; // all earlier plays are in the table, and no node counts them here
        if (play.number() >= cut) {
            counters.add("plays", play.song(), 1, "play-" + play.number());
        }
        // anywhere, at any time after the cut
        counters.getOrLoad("plays", List.of(play.song()), songs -> playsBefore(cut, songs, table));
        // end
    }

    @Test
    @DisplayName("moves counters while they are added to")
    void moved() {
        List<Play> plays = IntStream.range(0, 400)
                .mapToObj(i -> new Play(i, i % 3 == 0 ? "song" : "other"))
                .toList();
        List<Play> table = new CopyOnWriteArrayList<>(plays.subList(0, 200));
        Counters counters = Counters.of(store);
        // Each play comes to two threads, which all read, and so load.
        List<Play> twice = new ArrayList<>(plays.subList(200, 400));
        twice.addAll(plays.subList(200, 400));
        twice.parallelStream().forEach(play -> played(counters, play, table));
        assertThat(counters.get("plays", List.of("song", "other"))).containsExactly(134L, 266L);
    }

    @Test
    @DisplayName("has a cheap number for feeds that are only pulled")
    void snapshot() {
        List<String> followees = List.of("bob", "cid");
        // guide
        Counters posts = Counters.of(store);
        posts.add("posts", "bob", 1, "post-1"); // with each publish
        long now = posts.get("posts", followees).stream()
                .mapToLong(Long::longValue)
                .sum();
        long unread = Math.max(0, now - posts.get("seen", "ann"));
        if (unread > 0) {
            posts.add("seen", "ann", unread); // when ann opens the feed
        }
        // with a follow, add what the author has to "seen"; with an unfollow, take it away
        // end
        assertThat(unread).isOne();
        assertThat(posts.get("seen", "ann")).isOne();
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("../reference/counters.md", "CountersReferenceTest");
    }
}
