package io.feedkit.examples.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.examples.host.Timeline.Badge;
import io.feedkit.examples.host.Timeline.Card;
import io.feedkit.testservers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An application with tables of its own")
class TimelineTest {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final String TABLES = """
            CREATE TABLE posts (id bigint PRIMARY KEY, author_id bigint, body text, created_at bigint);
            CREATE INDEX posts_feed ON posts ((CAST(author_id AS varchar)) COLLATE "C", created_at DESC,
                (CAST(id AS varchar)) COLLATE "C" DESC);
            CREATE INDEX posts_key ON posts ((CAST(author_id AS varchar)) COLLATE "C",
                (CAST(id AS varchar)) COLLATE "C");
            CREATE TABLE follows (follower_id bigint, followee_id bigint, PRIMARY KEY (follower_id, followee_id));
            CREATE INDEX follows_by_followee ON follows (followee_id, (CAST(follower_id AS varchar)) COLLATE "C");
            CREATE TABLE blocks (blocker_id bigint, blocked_id bigint, PRIMARY KEY (blocker_id, blocked_id));
            """;

    @Test
    @DisplayName("shows its posts as cards, counts what is new, and hides whom a user has blocked")
    void timeline() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().createDatabase());
        config.setMaximumPoolSize(8);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(TABLES);
            }
            try (Timeline timeline = new Timeline(pool)) {
                assertThat(timeline.page(1).items()).isEmpty();
                timeline.follow(1, 2);
                timeline.follow(1, 3);
                timeline.post(2, 20, "hello");
                timeline.post(3, 30, "buy");
                timeline.like(1, 2, 20);
                timeline.like(1, 2, 20);
                await().atMost(LONGEST)
                        .untilAsserted(() -> assertThat(timeline.page(1).items())
                                .extracting(Card::id)
                                .containsExactlyInAnyOrder(20L, 30L));
                assertThat(timeline.badge(1)).isEqualTo(new Badge(2, 0));
                assertThat(timeline.badge(2)).isEqualTo(new Badge(0, 1));
                timeline.block(1, 3);
                assertThat(timeline.page(1).items()).containsExactly(new Card(20, 2, "hello", 1));
                assertThat(timeline.badge(1)).isEqualTo(new Badge(1, 0));
            }
        }
    }

    @Test
    @DisplayName("needs no type of the SPI and no internal one")
    void imports() throws IOException {
        assertThat(Files.readString(Path.of("src/test/java/io/feedkit/examples/host/Timeline.java")))
                .doesNotContain("feedkit.spi", ".internal.");
    }
}
