package io.feedkit.jdbc.survival;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A host's own table, whose rows are posts. A row's state is HERE, then LEAVING while the feed deletes the post, and
 * then GONE. Not thread-safe.
 */
final class HostArticles implements AutoCloseable {

    static final String TABLE = "CREATE TABLE article (author varchar(64) COLLATE \"C\", id varchar(64) COLLATE \"C\","
            + " published_at bigint NOT NULL, state varchar(8) NOT NULL DEFAULT 'HERE', PRIMARY KEY (author, id))";

    private static final String MOVE = "UPDATE article SET state = ? WHERE author = ? AND id = ?";

    private final Connection connection;

    HostArticles(String url) throws SQLException {
        this(DriverManager.getConnection(url));
    }

    /** Uses a connection of the host's, and closes it. */
    HostArticles(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
    }

    /** Writes an article and publishes its post in one transaction, which stays open. */
    void write(Post post, FeedEngine feed) throws SQLException {
        update(
                "INSERT INTO article (author, id, published_at) VALUES (?, ?, ?)",
                post.author(),
                post.id(),
                post.publishedAt().toEpochMilli());
        publish(post, feed);
    }

    /** Publishes a post in the transaction, without an article. */
    void publish(Post post, FeedEngine feed) {
        feed.publish(post, JdbcTransaction.of(connection));
    }

    /** Sets the isolation of the transactions. */
    void isolate(int isolation) throws SQLException {
        connection.setTransactionIsolation(isolation);
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    /** Deletes an article, in steps. If this process dies, {@link #finishDeletes} continues them. */
    void delete(PostKey key, FeedEngine feed) throws SQLException {
        update(MOVE, "LEAVING", key.author(), key.id());
        commit();
        feed.delete(key.author(), key.id());
        update(MOVE, "GONE", key.author(), key.id());
        commit();
    }

    /** Finishes the deletes of a process that died. */
    void finishDeletes(FeedEngine feed) throws SQLException {
        for (Post post : find("LEAVING")) {
            delete(post.key(), feed);
        }
    }

    /** All articles in a state. */
    List<Post> find(String state) throws SQLException {
        List<Post> found = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("SELECT author, id, published_at FROM article WHERE state = ?")) {
            select.setString(1, state);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    found.add(Post.of(row.getString(1), row.getString(2), row.getLong(3)));
                }
            }
        }
        commit();
        return found;
    }

    void update(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
