package io.feedkit.jdbc;

import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A host's own table of posts: text ids compared by bytes, and times in milliseconds. */
record HostTable(TestDatabase database, Kind kind) {

    static final PostsTable MAPPING =
            PostsTable.named("article").author("writer").publishedAt("created_at", PostsTable.Time.MILLIS);

    private static final Comparator<Post> BY_KEY =
            Comparator.comparing(Post::author).thenComparing(Post::id);

    static HostTable create(TestDatabase database, Kind kind) {
        String text = switch (kind) {
            case H2 -> "varchar(64)";
            case POSTGRESQL -> "varchar(64) COLLATE \"C\"";
            case MARIADB, MYSQL -> "varchar(64) CHARACTER SET ascii COLLATE ascii_bin";
        };
        HostTable table = new HostTable(database, kind);
        table.execute(
                "DROP TABLE IF EXISTS article",
                "CREATE TABLE article (writer " + text + ", id " + text
                        + ", created_at bigint, title varchar(200) DEFAULT '', PRIMARY KEY (writer, id))",
                "CREATE INDEX article_feed ON article (writer, created_at DESC, id DESC)");
        return table;
    }

    void execute(String... statements) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void insert(Post... posts) {
        try (Connection connection = database.dataSource().getConnection()) {
            insert(connection, List.of(posts));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Inserts missing rows, in the order of their keys. */
    void insert(Connection connection, Collection<Post> posts) {
        try (PreparedStatement insert = connection.prepareStatement(
                switch (kind) {
                    case H2 -> "INSERT INTO article (writer, id, created_at) VALUES (?, ?, ?)";
                    case POSTGRESQL ->
                        "INSERT INTO article (writer, id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
                    case MARIADB, MYSQL -> "INSERT IGNORE INTO article (writer, id, created_at) VALUES (?, ?, ?)";
                })) {
            for (Post post : posts.stream().sorted(BY_KEY).toList()) {
                insert.setString(1, post.author());
                insert.setString(2, post.id());
                insert.setLong(3, post.publishedAt().toEpochMilli());
                execute(insert);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void execute(PreparedStatement insert) throws SQLException {
        try {
            insert.executeUpdate();
        } catch (SQLException e) {
            if (!"23505".equals(e.getSQLState())) {
                throw e;
            }
        }
    }
}
