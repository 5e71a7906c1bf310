package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Counts the reactions to all posts by who reacted, in one statement, which sees one moment. An unsettled reaction
 * counts if its ticket was redeemed. The difference is added to the counts afterwards, and so is right even if a count
 * has changed since.
 */
public final class ReactionRecount {

    /**
     * A wrong count.
     *
     * @param key the count of a kind, in the current incarnation of the post
     * @param expected how many users reacted
     * @param counted the stored count
     */
    public record Mismatch(CellKey key, long expected, long counted) {}

    private static final String POST = "SUBSTRING(m.member FROM POSITION('/' IN m.member) + 1)";
    /** The name of the post's count: kind and incarnation. */
    private static final String NAME = "CONCAT('+', SUBSTRING(m.member FROM 1 FOR POSITION('/' IN m.member)),"
            + " SUBSTRING(m.label FROM 1 FOR CHAR_LENGTH(m.label) - 1))";

    private static final String COUNTS = "CASE WHEN m.label LIKE '%+' AND (m.settled = 1 OR t.ticket IS NULL) THEN 1"
            + " WHEN m.label LIKE '%-' AND m.settled = 0 AND t.ticket IS NOT NULL THEN 1 ELSE 0 END";

    private final Database database;
    private final String sql;

    ReactionRecount(Database database) {
        this.database = database;
        String members = "SELECT " + POST + " AS post, " + NAME + " AS name, " + COUNTS + " AS expected, 0 AS counted"
                + " FROM ${counter_member} m LEFT JOIN ${counter_ticket} t"
                + " ON t.space = 'POSTS' AND t.owner = " + POST + " AND t.ticket = m.number"
                + " WHERE m.space = 'REACTIONS'";
        String counts =
                "SELECT c.owner AS post, c.name AS name, 0 AS expected, c.total AS counted FROM ${counter_cell} c"
                        + " WHERE c.space = 'POSTS' AND c.name LIKE '+%/_%'";
        String both =
                "SELECT u.post AS post, u.name AS name, SUM(u.expected) AS expected, SUM(u.counted) AS counted FROM ("
                        + members + " UNION ALL " + counts
                        + ") u GROUP BY u.post, u.name HAVING SUM(u.expected) <> SUM(u.counted)";
        sql = database.sql("SELECT b.post, b.name, b.expected, b.counted FROM (" + both
                + ") b LEFT JOIN ${counter_cell} i ON i.space = 'POSTS' AND i.owner = b.post"
                + " AND i.name = SUBSTRING(b.name FROM 1 FOR POSITION('/' IN b.name))"
                + " WHERE b.name = CONCAT(SUBSTRING(b.name FROM 1 FOR POSITION('/' IN b.name)), COALESCE(i.total, 0))"
                + " ORDER BY b.post, b.name LIMIT :most");
    }

    List<Mismatch> find(Handle handle, int limit) {
        return database.query(handle, sql)
                .bind("most", limit)
                .map((row, context) -> new Mismatch(
                        new CellKey(new Owner(Space.POSTS, row.getString(1)), row.getString(2)),
                        row.getLong(3),
                        row.getLong(4)))
                .list();
    }
}
