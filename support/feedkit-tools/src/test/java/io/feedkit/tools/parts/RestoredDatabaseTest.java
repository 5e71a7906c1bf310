package io.feedkit.tools.parts;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The recipe of the operations page: a database is restored from its backup while the inboxes in Redis stay. */
@DisplayName("A source of truth that was restored from a backup, under inboxes that know more")
class RestoredDatabaseTest {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));

    @AutoClose
    private final RedisServer redis = RedisServer.start();

    private final String original = PostgresServer.shared().createDatabase();
    private final String backup = original.replaceFirst("feedkit_\\d+", "$0_backup");

    /** All that is opened anew for a database: engines are stopped while it is restored. */
    private final class Deployment implements AutoCloseable {
        private final HikariDataSource pool;
        private final JdbcFeedStore sql;
        private final RedisInboxes inboxes;
        private final FeedEngine feed;
        private final FeedEngine other;

        Deployment(String url) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(4);
            config.setMinimumIdle(1);
            pool = new HikariDataSource(config);
            JdbcSchema.of(pool).upgrade();
            sql = JdbcFeedStore.builder(pool)
                    .clock(clock)
                    .maintenanceInterval(Duration.ZERO)
                    .build();
            inboxes = RedisInboxes.builder(RedisServers.at(redis.uri()))
                    .clock(clock)
                    .build();
            FeedStore store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
            feed = engine(store);
            other = engine(store);
        }

        private FeedEngine engine(FeedStore store) {
            return FeedEngine.builder(store)
                    .clock(clock)
                    .workers(0)
                    .reading(reading -> reading.staleness(Duration.ZERO))
                    .build();
        }

        @Override
        public void close() {
            feed.close();
            other.close();
            inboxes.close();
            sql.close();
            pool.close();
        }
    }

    private static Post post(int n) {
        return Post.of("bob", "p" + n, Instant.parse("2025-12-31T00:00:00Z").toEpochMilli() + n);
    }

    private static List<Post> page(FeedEngine feed) {
        return feed.read("ann", PageRequest.first(10)).items();
    }

    /** Three posts, a backup, then a post that the backup lacks, and a delete that it does not know of. */
    @BeforeEach
    void restore() throws SQLException {
        try (Deployment before = new Deployment(original)) {
            before.feed.follow("ann", "bob");
            assertThat(page(before.feed)).isEmpty();
            before.feed.publishAll(List.of(post(1), post(2), post(3)));
            before.feed.fanout().drain();
        }
        String name = original.replaceAll(".*/|\\?.*", "");
        try (Connection connection =
                        DriverManager.getConnection(PostgresServer.shared().url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name + "_backup TEMPLATE " + name);
        }
        clock.advance(Duration.ofMinutes(10));
        try (Deployment later = new Deployment(original)) {
            later.feed.publish(post(4));
            later.feed.delete("bob", post(1).id());
            later.feed.fanout().drain();
            clock.advance(Duration.ofMinutes(1));
            later.feed.fanout().drain();
            assertThat(page(later.feed)).containsExactly(post(4), post(3), post(2));
        }
        clock.advance(Duration.ofMinutes(10));
    }

    @Test
    @DisplayName("is what every engine shows, and counts, after one call")
    void distrust() {
        try (Deployment restored = new Deployment(backup)) {
            assertThat(page(restored.feed)).containsExactly(post(4), post(3), post(2));
            restored.feed.fanout().distrustInboxes();
            clock.advance(Duration.ofSeconds(2));
            assertThat(page(restored.other)).containsExactly(post(3), post(2), post(1));
            assertThat(restored.other.unread("ann").count()).isEqualTo(3);
            assertThat(page(restored.feed)).containsExactly(post(3), post(2), post(1));
        }
    }

    @Test
    @DisplayName("is what pages show within the reconcile interval, without any call")
    void reconciled() {
        try (Deployment restored = new Deployment(backup)) {
            clock.advance(Duration.ofDays(1));
            assertThat(page(restored.feed)).containsExactly(post(3), post(2), post(1));
            assertThat(restored.feed.unread("ann").count()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("does not keep a delete from taking out a post that only inboxes hold")
    void delete() {
        try (Deployment restored = new Deployment(backup)) {
            assertThat(restored.feed.delete("bob", post(4).id())).isFalse();
            assertThat(page(restored.other)).containsExactly(post(3), post(2));
            restored.feed.fanout().drain();
            clock.advance(Duration.ofMinutes(1));
            restored.feed.fanout().drain();
            assertThat(page(restored.other)).containsExactly(post(3), post(2));
            assertThat(restored.other.unread("ann").count()).isEqualTo(2);
        }
    }
}
