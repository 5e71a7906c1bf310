package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
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
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Badges.Badge;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

/** What the guide to unread counts shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to unread counts")
class UnreadGuideTest {

    private final CounterStore store = InMemoryCounterStore.create();

    @Test
    @DisplayName("counts a feed")
    void feed() {
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            // guide
            feed.follow("ann", "bob");
            feed.publish("bob", "post-1");
            Unread news = feed.unread("ann");
            String number = news.toString(); // "1", or "1000+" if there are more
            Map<String, Unread> all = feed.unread(List.of("ann", "ben")); // a badge job: any number of readers
            FeedPage<Post> page = feed.read("ann", PageRequest.first(20));
            feed.markSeen("ann", page.newer()); // what was shown, and all below it
            // end
            assertThat(number).isEqualTo("1");
            assertThat(all).containsEntry("ann", news).containsEntry("ben", new Unread(0, false));
            assertThat(feed.unread("ann").count()).isZero();
        }
    }

    @Test
    @DisplayName("counts by type")
    void types() {
        // guide
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(List.of("ann", "ben"), "comment", 1, "comment-4711"); // once, however often it is called
        unread.add(List.of("ann"), "follower", 1);

        UnreadCounts shown = unread.get("ann");
        long comments = shown.of("comment");
        long badge = shown.total();
        unread.remove("ann", "comment", "comment-4711"); // deleted: counts no longer, unless it was seen
        unread.markSeen("ann", shown.counted()); // what came after the read stays unread
        // end
        assertThat(comments).isOne();
        assertThat(badge).isEqualTo(2);
        assertThat(unread.get("ann").total()).isZero();
        assertThat(unread.get("ben").total()).isOne();
    }

    @Test
    @DisplayName("counts conversations")
    void conversations() {
        // guide
        Conversations conversations = Conversations.of(store);
        conversations.join("talk", "ann");
        conversations.join("talk", "ben");
        long number = conversations.add("talk", "ann"); // 1, 2, 3, ... without gaps
        List<Long> before = conversations.get("ben", List.of("talk", "other"));
        conversations.markSeen("talk", "ben", number); // devices may report in any order
        conversations.add("talk", "ann");
        conversations.remove("talk", 2); // counts for nobody any more
        // end
        assertThat(number).isOne();
        assertThat(before).containsExactly(1L, 0L);
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(0L);
    }

    @Test
    @DisplayName("counts announcements")
    void announcements() {
        // guide
        Announcements announcements = Announcements.of(store);
        announcements.enter("ann"); // a first visit begins with nothing unread
        announcements.add("maintenance", Announcements.EVERYBODY);
        announcements.add("new-prices", "customers", Instant.now().plus(Duration.ofDays(30))); // its end
        announcements.remove("maintenance");
        long notices = announcements.get("ann", Set.of("customers")); // the segments of this user
        announcements.markAllSeen("ann");
        // end
        assertThat(notices).isOne();
        assertThat(announcements.get("ann", Set.of("customers"))).isZero();
    }

    @Test
    @DisplayName("lights red dots")
    void dots() {
        // guide
        RedDots dots = RedDots.of(store);
        long version = dots.add("settings"); // for all
        dots.add("wallet", List.of("ann"));
        Set<String> lit = dots.get("ann", List.of("settings", "wallet", "help"));
        dots.markSeen("ann", "settings", version); // the version that was shown, so a newer one stays lit
        dots.remove("wallet"); // for all
        // end
        assertThat(lit).containsExactlyInAnyOrder("settings", "wallet");
        assertThat(dots.get("ann", List.of("settings", "wallet"))).isEmpty();
    }

    @Test
    @DisplayName("reads a badge")
    void badge() {
        UnreadCounter.of(store).add(List.of("ann"), "comment", 3);
        // guide
        Badge badge = Badges.of(store).get("ann", List.of("talk"), Set.of("customers"), List.of("settings"));
        String text = badge.total() > 99 ? "99+" : Long.toString(badge.total());
        boolean dot = badge.dots().contains("settings");
        // end
        assertThat(text).isEqualTo("3");
        assertThat(dot).isFalse();
    }

    @Test
    @DisplayName("counts, reacts and views")
    void counters() {
        // guide
        Counters counters = Counters.of(store);
        counters.add("shares", "post-1", 1);
        List<Long> shares =
                counters.getOrLoad("shares", List.of("post-1"), ids -> Map.of("post-1", 40L)); // loaded once

        Reactions likes = Reactions.of(store);
        boolean isNew = likes.add("ann", "post-1"); // again: false, so notify the author only of a new one
        long count = likes.get(List.of("post-1")).get(0);
        Set<String> liked = likes.reacted("ann", List.of("post-1", "post-2"));
        Newest who = likes.newest("post-1", 20); // the newest users; who.complete(): all of them
        Page page = likes.posts("ann", 50); // what ann liked, the newest first
        while (page.older().isPresent()) {
            page = likes.posts("ann", page.older().getAsLong(), 50);
        }

        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        votes.choose("ann", "post-1", "up");
        votes.choose("ann", "post-1", "down"); // instead of "up", in one step
        Map<String, Long> result = votes.get(List.of("post-1")).get(0);

        Views views = Views.of(store, Duration.ofMinutes(30), Clock.systemUTC());
        boolean counted = views.add("ann", "post-1"); // once in half an hour
        // end
        assertThat(shares).containsExactly(41L);
        assertThat(isNew).isTrue();
        assertThat(count).isOne();
        assertThat(who.users()).containsExactly("ann");
        assertThat(page.posts()).containsExactly("post-1");
        assertThat(result).isEqualTo(Map.of("down", 1L));
        assertThat(liked).containsExactly("post-1");
        assertThat(counted).isTrue();
        assertThat(views.add("ann", "post-1")).isFalse();
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
            FeedCounters joined = counters.in(JdbcTransaction.of(connection));
            long number = joined.conversations().add("talk", "ann"); // your INSERT of the message goes beside it
            connection.commit(); // number and message are there, or neither
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
        counters.add("plays", "song", 1, "play-4711"); // to SQL
        long plays = counters.get("plays", "song"); // 2: reads see both
        store.close(); // writes what is late
        // end
        assertThat(plays).isEqualTo(2);
        assertThat(Counters.of(sql).get("plays", "song")).isEqualTo(2);
        sql.close();
    }

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
            joined.unread().markAllSeen("ann", "like"); // sees what is still in Redis
            connection.commit();
            // end
            assertThat(UnreadCounter.of(store).get("ann").total()).isZero();
        }
    }

    @Test
    @DisplayName("has a cheap number for those who only pull")
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
        GuideTexts.assertShown("unread.md", "UnreadGuideTest");
    }
}
