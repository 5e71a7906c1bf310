package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.jdbc.PostsTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What the reference of the SQL schema shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The reference of the SQL schema")
@Timeout(120)
class SqlSchemaReferenceTest {

    private static final String PAGE = "../reference/sql-schema.md";
    private static final PageRequest FIRST = PageRequest.first(20);

    record Article(String author, String id, long millis) {}

    record Articles(JdbcTemplate template) {

        void insert(Article article) {
            template.update("INSERT INTO article (id) VALUES (?)", article.id());
        }
    }

    /** A service of a Spring application. */
    record Service(DataSource dataSource, FeedEngine feed, Articles articles) {

        // guide
        @Transactional
        public void publish(Article article) {
            articles.insert(article); // JdbcTemplate uses the same connection
            Connection connection = DataSourceUtils.getConnection(dataSource);
            try {
                feed.publish(Post.of(article.author(), article.id(), article.millis()), JdbcTransaction.of(connection));
            } finally {
                DataSourceUtils.releaseConnection(connection, dataSource);
            }
        }
        // end
    }

    @Test
    @DisplayName("publishes in a transaction of Spring: the commit makes row and post exist, a rollback neither")
    void spring() throws SQLException {
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore store = JdbcFeedStore.create(dataSource);
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            GuideDatabase.execute(dataSource, "CREATE TABLE article (id varchar(64) PRIMARY KEY)");
            Service service = new Service(dataSource, feed, new Articles(new JdbcTemplate(dataSource)));
            TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
            transactions.executeWithoutResult(status -> {
                service.publish(new Article("bob", "undone", 1_767_225_600_000L));
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(
                    status -> service.publish(new Article("bob", "kept", 1_767_225_600_000L)));
            assertThat(GuideDatabase.rows(dataSource, "article")).isOne();
            assertThat(feed.readAuthor("bob", FIRST).items())
                    .extracting(Post::id)
                    .containsExactly("kept");
        }
    }

    @Test
    @DisplayName("reads tables with bigint ids, with the indexes that the page creates")
    void numbers() throws IOException, SQLException {
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit()) {
            List<String> tables = GuideTexts.shown(PAGE, "sql").stream()
                    .filter(block -> block.contains("CREATE TABLE article"))
                    .toList();
            assertThat(tables).hasSize(1);
            GuideDatabase.execute(dataSource, tables.get(0));
            GuideDatabase.execute(dataSource, """
                    INSERT INTO follows VALUES (7, 9);
                    INSERT INTO article (author_id, created_at) VALUES (9, '2026-01-01T00:00:00Z');
                    """);
            // guide
            JdbcFeedStore store = JdbcFeedStore.builder(dataSource)
                    .posts(PostsTable.named("article")
                            .author("author_id")
                            .publishedAt("created_at", PostsTable.Time.TIMESTAMP))
                    .follows(FollowsTable.named("follows")
                            .follower("follower_id")
                            .followee("followee_id"))
                    .build();
            // end
            try (store;
                    FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                Post post = Post.of("9", "1", 1_767_225_600_000L);
                feed.publish(post);
                assertThat(feed.read("7", FIRST).items()).containsExactly(post);
                assertThat(feed.read("8", FIRST).items()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown(PAGE, "SqlSchemaReferenceTest");
    }
}
