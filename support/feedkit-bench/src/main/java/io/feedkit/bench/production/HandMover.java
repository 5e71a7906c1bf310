package io.feedkit.bench.production;

import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves old rows to the archive in batches, with statements written by hand: select, insert and commit, delete and
 * commit. It checks nothing, and never rests. Used by one thread.
 */
final class HandMover implements AutoCloseable {

    private static final int BATCH = 500;

    private final Connection from;
    private final Connection to;
    private final PreparedStatement select;
    private final PreparedStatement insert;
    private final PreparedStatement delete;
    private String lastAuthor = "";
    private String lastId = "";

    /** One batch. */
    private record Rows(List<String> authors, List<String> ids, List<Long> times) {}

    HandMover(BenchDatabase database, BenchDatabase archive) {
        from = database.connect();
        to = archive.connect();
        select = prepare(
                from,
                database.sql("SELECT author, id, published_at FROM ${post} WHERE (author, id) > (?, ?)"
                        + " AND published_at < ? ORDER BY author, id LIMIT " + BATCH));
        insert = prepare(
                to,
                archive.sql("INSERT INTO ${archive_post} (author, id, published_at)"
                        + " SELECT * FROM unnest(?, ?, ?) ON CONFLICT DO NOTHING"));
        delete = prepare(
                from,
                database.sql("DELETE FROM ${post} p USING unnest(?, ?) AS k(author, id)"
                        + " WHERE p.author = k.author AND p.id = k.id"));
    }

    private static PreparedStatement prepare(Connection connection, String sql) {
        return Sql.call(() -> {
            connection.setAutoCommit(false);
            return connection.prepareStatement(sql);
        });
    }

    /** Moves all rows before a time, and returns how many. */
    long move(long before) {
        return Sql.call(() -> {
            lastAuthor = "";
            lastId = "";
            long moved = 0;
            Rows rows = select(before);
            while (!rows.ids().isEmpty()) {
                move(rows);
                moved += rows.ids().size();
                rows = select(before);
            }
            return moved;
        });
    }

    private Rows select(long before) throws SQLException {
        select.setString(1, lastAuthor);
        select.setString(2, lastId);
        select.setLong(3, before);
        Rows rows = new Rows(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        try (ResultSet found = select.executeQuery()) {
            while (found.next()) {
                lastAuthor = found.getString(1);
                lastId = found.getString(2);
                rows.authors().add(lastAuthor);
                rows.ids().add(lastId);
                rows.times().add(found.getLong(3));
            }
        }
        return rows;
    }

    private void move(Rows rows) throws SQLException {
        bind(to, insert, "varchar", 1, rows.authors());
        bind(to, insert, "varchar", 2, rows.ids());
        bind(to, insert, "bigint", 3, rows.times());
        insert.executeUpdate();
        to.commit();
        bind(from, delete, "varchar", 1, rows.authors());
        bind(from, delete, "varchar", 2, rows.ids());
        delete.executeUpdate();
        from.commit();
    }

    private static void bind(Connection connection, PreparedStatement statement, String type, int place, List<?> values)
            throws SQLException {
        Array array = connection.createArrayOf(type, values.toArray());
        statement.setArray(place, array);
    }

    @Override
    public void close() {
        Sql.run(() -> {
            from.close();
            to.close();
        });
    }
}
