package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to SQL and transactions shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to SQL and transactions")
@Timeout(120)
class SqlGuideTest {

    /** What the host keeps in its own table. */
    private record Article(String id) {}

    /** The host's own table. */
    private static final class Articles {

        static final String TABLE = "CREATE TABLE article (id varchar(64) PRIMARY KEY)";

        void insert(Connection connection, Article article) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO article (id) VALUES (?)")) {
                insert.setString(1, article.id());
                insert.executeUpdate();
            }
        }
    }

    @Test
    @DisplayName("creates FeedKit's tables with Flyway, in a schema with tables of the host's")
    void flyway() throws SQLException {
        try (HikariDataSource dataSource = GuideDatabase.empty()) {
            GuideDatabase.execute(dataSource, Articles.TABLE);
            // guide
            Flyway.configure()
                    .dataSource(dataSource)
                    .locations("classpath:feedkit-jdbc/postgresql") // or h2; mysql for MySQL and MariaDB
                    .table("feedkit_flyway_history")
                    .placeholders(Map.of("feedkit.tables", "feedkit_", "feedkit.prefix", "feedkit_"))
                    .baselineOnMigrate(true) // your tables may exist
                    .baselineVersion("0")
                    .load()
                    .migrate();
            // end
            assertThat(JdbcSchema.of(dataSource).upgrade()).isEqualTo(JdbcSchema.VERSION);
            assertThat(GuideDatabase.rows(dataSource, "feedkit_flyway_history")).isPositive();
        }
    }

    private static void publish(DataSource dataSource, FeedEngine feed, Articles articles, Article article)
            throws SQLException {
        // guide
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            articles.insert(connection, article);
            JdbcTransaction transaction = JdbcTransaction.of(connection);
            feed.publish(new Post("bob", article.id(), Instant.now()), transaction);
            connection.commit(); // after a rollback, neither the row nor the post exists
        }
        // end
    }

    @Test
    @DisplayName("publishes a post with a row of the host's: the commit makes both exist, and a failure neither")
    void transaction() throws SQLException {
        Articles articles = new Articles();
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore store = JdbcFeedStore.create(dataSource);
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            GuideDatabase.execute(dataSource, Articles.TABLE);
            publish(dataSource, feed, articles, new Article("article-1"));
            assertThatThrownBy(() -> publish(dataSource, feed, articles, new Article("not an id")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(GuideDatabase.rows(dataSource, "article")).isOne();
            assertThat(feed.readAuthor("bob", PageRequest.first(20)).items())
                    .extracting(Post::id)
                    .containsExactly("article-1");
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("sql-and-transactions.md", "SqlGuideTest");
    }
}
