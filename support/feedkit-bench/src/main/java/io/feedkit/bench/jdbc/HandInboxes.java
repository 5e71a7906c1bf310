package io.feedkit.bench.jdbc;

import io.feedkit.Post;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Fan-out written by hand: no floor, no cap, no count, no check for deletes after the insert. Used by one thread. */
final class HandInboxes implements AutoCloseable {

    private static final String COLUMNS = "INSERT INTO ${hand_entry} (reader, published_at, id, author) ";

    private final Connection connection;
    private final PreparedStatement single;
    private final PreparedStatement batch;
    private final PreparedStatement followers;

    HandInboxes(BenchDatabase database) {
        connection = database.connect();
        single = prepare(database.sql(COLUMNS + "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"));
        batch = prepare(database.sql(COLUMNS + """
                SELECT b.reader, ?, ?, ? FROM unnest(?) AS r(wanted) JOIN ${hand_inbox} b ON b.reader = r.wanted
                WHERE b.ends_at > ? ORDER BY b.reader ON CONFLICT DO NOTHING"""));
        followers = prepare(
                database.sql("SELECT reader FROM ${follow} WHERE author = ? AND reader > ? ORDER BY reader LIMIT ?"));
    }

    private PreparedStatement prepare(String sql) {
        return Sql.call(() -> connection.prepareStatement(sql));
    }

    /** An insert for each reader. */
    int deliverSingly(Post post, List<String> readers) {
        return Sql.call(() -> {
            int inserted = 0;
            for (String reader : readers) {
                single.setString(1, reader);
                single.setLong(2, post.publishedAt().toEpochMilli());
                single.setString(3, post.id());
                single.setString(4, post.author());
                inserted += single.executeUpdate();
            }
            return inserted;
        });
    }

    /** One insert for all. */
    int deliver(Post post, List<String> readers) {
        return Sql.call(() -> {
            batch.setLong(1, post.publishedAt().toEpochMilli());
            batch.setString(2, post.id());
            batch.setString(3, post.author());
            batch.setArray(4, connection.createArrayOf("varchar", readers.toArray()));
            batch.setLong(5, System.currentTimeMillis());
            return batch.executeUpdate();
        });
    }

    /** One insert for each page of followers. */
    int fanOut(Post post, int pageSize) {
        int inserted = 0;
        String after = "";
        while (true) {
            List<String> page = page(post.author(), after, pageSize);
            if (page.isEmpty()) {
                return inserted;
            }
            inserted += deliver(post, page);
            after = page.get(page.size() - 1);
        }
    }

    private List<String> page(String author, String after, int size) {
        return Sql.call(() -> {
            followers.setString(1, author);
            followers.setString(2, after);
            followers.setInt(3, size);
            return readers();
        });
    }

    private List<String> readers() throws SQLException {
        List<String> readers = new ArrayList<>();
        try (ResultSet rows = followers.executeQuery()) {
            while (rows.next()) {
                readers.add(rows.getString(1));
            }
        }
        return readers;
    }

    @Override
    public void close() {
        Sql.run(connection::close);
    }
}
