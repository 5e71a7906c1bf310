package io.feedkit.examples.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.jdbc.PostsTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to own tables shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to your own tables of posts and follows")
@Timeout(120)
class OwnTablesGuideTest {

    private static final PageRequest FIRST = PageRequest.first(20);
    private static final Post POST = new Post("bob", "post-1", Instant.parse("2026-01-01T00:00:00Z"));

    /** The host's own table of follows. */
    private static final class Follows {

        void insert(Connection connection, String follower, String followee) throws SQLException {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO follows (follower_id, followee_id) VALUES (?, ?)")) {
                insert.setString(1, follower);
                insert.setString(2, followee);
                insert.executeUpdate();
            }
        }
    }

    private static void insertArticle(DataSource dataSource, Post post) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO article (author_id, id, created_at) VALUES (?, ?, ?)")) {
            insert.setString(1, post.author());
            insert.setString(2, post.id());
            insert.setLong(3, post.publishedAt().toEpochMilli());
            insert.executeUpdate();
        }
    }

    /** A database with FeedKit's tables and the host's, as the guide creates these. */
    private static HikariDataSource databaseWithTables() throws IOException, SQLException {
        HikariDataSource dataSource = GuideDatabase.withFeedKit();
        GuideDatabase.execute(dataSource, """
                CREATE TABLE article (author_id text COLLATE "C", id text COLLATE "C", created_at bigint);
                CREATE TABLE follows (follower_id text COLLATE "C", followee_id text COLLATE "C");
                """);
        GuideDatabase.execute(dataSource, GuideTexts.block("own-tables.md", "sql"));
        return dataSource;
    }

    private static JdbcFeedStore storeOn(DataSource dataSource) {
        // guide
        JdbcFeedStore store = JdbcFeedStore.builder(dataSource)
                .posts(PostsTable.named("article")
                        .author("author_id")
                        .publishedAt("created_at", PostsTable.Time.MILLIS))
                .follows(FollowsTable.named("follows").follower("follower_id").followee("followee_id"))
                .build();
        // end
        return store;
    }

    @Test
    @DisplayName("reads posts and follows from the host's tables, and shows a follow after the commit of its report")
    void tables() throws IOException, SQLException {
        Follows follows = new Follows();
        try (HikariDataSource dataSource = databaseWithTables();
                JdbcFeedStore store = storeOn(dataSource);
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            assertThat(feed.read("ann", FIRST).items()).isEmpty();
            insertArticle(dataSource, POST);
            feed.publish(POST);
            // guide
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                follows.insert(connection, "ann", "bob");
                feed.hostGraph().followed("ann", "bob", JdbcTransaction.of(connection));
                connection.commit();
            }
            // end
            assertThat(feed.isFollowing("ann", "bob")).isTrue();
            assertThat(feed.read("ann", FIRST).items()).containsExactly(POST);
            assertThat(feed.readAuthor("bob", FIRST).items()).containsExactly(POST);
        }
    }

    /** What a store logs when it is built. */
    private static String loggedByStoreOn(DataSource dataSource) {
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream console = System.err;
        System.setErr(new PrintStream(logged, true, UTF_8));
        try {
            storeOn(dataSource).close();
        } finally {
            System.setErr(console);
        }
        return logged.toString(UTF_8);
    }

    @Test
    @DisplayName("creates each index that a store looks for: without one of them, the store logs its statement")
    void indexes() throws IOException, SQLException {
        try (HikariDataSource dataSource = databaseWithTables()) {
            assertThat(loggedByStoreOn(dataSource)).doesNotContain("CREATE INDEX");
            GuideDatabase.execute(dataSource, "DROP INDEX follows_by_followee");
            assertThat(loggedByStoreOn(dataSource)).contains("CREATE INDEX follows_by_followee ON follows");
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("own-tables.md", "OwnTablesGuideTest");
    }
}
