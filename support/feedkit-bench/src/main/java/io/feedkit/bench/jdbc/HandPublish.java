package io.feedkit.bench.jdbc;

import io.feedkit.spi.KeyRange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that inserts a post and its task, without looking for an earlier post or a tombstone. Used by one
 * thread.
 */
final class HandPublish implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement post;
    private final PreparedStatement task;

    HandPublish(BenchDatabase database) {
        connection = database.connect();
        post = prepare(database, "INSERT INTO ${post} (author, id, published_at, appended_at) VALUES (?, ?, ?, ?)");
        task = prepare(database, """
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below,
                    created_at, due_at, unsettled_at)
                VALUES ('PUSH', ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        Sql.run(() -> connection.setAutoCommit(false));
    }

    private PreparedStatement prepare(BenchDatabase database, String sql) {
        return Sql.call(() -> connection.prepareStatement(database.sql(sql)));
    }

    void publish(String author, String id) {
        Sql.run(() -> publish(author, id, System.currentTimeMillis()));
    }

    private void publish(String author, String id, long now) throws SQLException {
        bind(post, author, id, now, now);
        post.executeUpdate();
        bind(task, author, now, id, now, id, KeyRange.END, now, now, now);
        task.executeUpdate();
        connection.commit();
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    @Override
    public void close() {
        Sql.run(connection::close);
    }
}
