package io.feedkit.bench.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the newest posts of many authors with queries written by hand, in three ways. Used by one thread. */
final class HandPages implements AutoCloseable {

    static final int PAGE = 20;

    private static final String OF_AUTHORS =
            "SELECT author, id, published_at FROM ${post} WHERE author = ANY(?) AND published_at IS NOT NULL";
    private static final String NEWEST_FIRST = " ORDER BY published_at DESC, id DESC LIMIT " + PAGE;
    private static final int ROWS_WANTED = 60;
    private static final int WIDER = 4;
    private static final long FIRST_SPAN_MILLIS = 3_600_000;

    private final Connection connection;
    private final PreparedStatement lateral;
    private final PreparedStatement bounded;
    private final PreparedStatement plain;
    private long spanMillis = FIRST_SPAN_MILLIS;

    HandPages(BenchDatabase database) {
        connection = database.connect();
        lateral = prepare(database.sql("""
                SELECT p.author, p.id, p.published_at FROM unnest(?) AS a(author) CROSS JOIN LATERAL (
                    SELECT author, id, published_at FROM ${post}
                    WHERE author = a.author AND published_at IS NOT NULL
                    ORDER BY published_at DESC, id DESC LIMIT 20) p
                ORDER BY p.published_at DESC, p.id DESC LIMIT 20"""));
        bounded = prepare(database.sql(OF_AUTHORS + " AND published_at >= ?" + NEWEST_FIRST));
        plain = prepare(database.sql(OF_AUTHORS + NEWEST_FIRST));
    }

    private PreparedStatement prepare(String sql) {
        return Sql.call(() -> connection.prepareStatement(sql));
    }

    /** The newest posts of each author, and the newest of these. */
    List<String> lateral(List<String> authors) {
        return ids(lateral, authors, 0);
    }

    /** All posts of the authors, sorted. */
    List<String> plain(List<String> authors) {
        return ids(plain, authors, 0);
    }

    /**
     * The posts after a bound in time, which leaves about three pages. The bound comes from the page read before, of
     * any reader. If less than a page is found, the bound goes four times as far back.
     */
    List<String> bounded(List<String> authors) {
        while (true) {
            List<String> found = ids(bounded, authors, PostLoad.END - spanMillis);
            if (found.size() == PAGE) {
                return found;
            }
            spanMillis = spanMillis * WIDER;
        }
    }

    private List<String> ids(PreparedStatement statement, List<String> authors, long bound) {
        return Sql.call(() -> {
            statement.setArray(1, connection.createArrayOf("varchar", authors.toArray()));
            if (statement == bounded) {
                statement.setLong(2, bound);
            }
            return read(statement);
        });
    }

    private List<String> read(PreparedStatement statement) throws SQLException {
        List<String> ids = new ArrayList<>(PAGE);
        long last = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getString(1) + " " + rows.getString(2));
                last = rows.getLong(3);
            }
        }
        if (ids.size() == PAGE) {
            spanMillis = Math.max(1, (PostLoad.END - last) * ROWS_WANTED / PAGE);
        }
        return ids;
    }

    @Override
    public void close() {
        Sql.run(connection::close);
    }
}
