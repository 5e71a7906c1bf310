package io.feedkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadmeTransactionTest {

    private record Article(String id) {}

    /** A table of the host's. */
    private static final class Articles {

        void create(DataSource dataSource) throws SQLException {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE article (id varchar(64) PRIMARY KEY)");
            }
        }

        void insert(Connection connection, Article article) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO article (id) VALUES (?)")) {
                insert.setString(1, article.id());
                insert.executeUpdate();
            }
        }
    }

    @Test
    @DisplayName("the README's example of a transaction works")
    void works() throws SQLException {
        Articles articles = new Articles();
        Article article = new Article("article-1");
        Clock clock = Clock.systemUTC();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (HikariDataSource dataSource = new HikariDataSource(config)) {
            articles.create(dataSource);
            // readme
            JdbcSchema.of(dataSource).upgrade(); // or Flyway, or by hand
            try (JdbcFeedStore store = JdbcFeedStore.create(dataSource);
                    FeedEngine feed = FeedEngine.builder(store).build();
                    Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                articles.insert(connection, article);
                feed.publish(Post.of("bob", article.id(), clock.millis()), JdbcTransaction.of(connection));
                connection.commit(); // both are there now; after a rollback, neither
                // end
                assertThat(feed.readAuthor("bob", PageRequest.first(10)).items())
                        .extracting("id")
                        .containsExactly("article-1");
            }
        }
    }

    @Test
    @DisplayName("the README's example of a transaction is the one that is tested here")
    void isThisOne() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        String section = readme.substring(readme.indexOf("## Publish inside your own transaction"));
        String source = Files.readString(Path.of("src/test/java/io/feedkit/examples/ReadmeTransactionTest.java"));

        assertThat(normalised(between(section, "```java\n", "```")))
                .isEqualTo(normalised(between(source, "// readme\n", "// end\n") + "}"));
    }

    private static String between(String text, String start, String end) {
        String rest = text.substring(text.indexOf(start) + start.length());
        return rest.substring(0, rest.indexOf(end));
    }

    private static String normalised(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
