package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Recounts the reactions to all posts from the users' reactions. One statement reads them, and sees one moment. An
 * unsettled reaction counts if its ticket was redeemed; until then, the choice that it replaces counts. The caller adds
 * the difference to the counts, so a repair is right even if a count has changed since.
 */
public final class ReactionRecount {

    /**
     * A wrong count.
     *
     * @param key the count of a kind and a choice, in the current incarnation of the post
     * @param expected how many users reacted
     * @param counted the stored count
     */
    public record Mismatch(CellKey key, long expected, long counted) {}

    private static final String POST = "SUBSTRING(m.member FROM POSITION('/' IN m.member) + 1)";

    /** A label is an incarnation, the sign + or -, a choice without +, and optionally < and the previous choice. */
    private static final String SIGN =
            "(CASE WHEN m.label LIKE '%+%' THEN POSITION('+' IN m.label) ELSE POSITION('-' IN m.label) END)";

    private static final String BEFORE = "POSITION('<' IN m.label)";

    private static final String CHOICE = "(CASE WHEN " + BEFORE + " > 0 THEN SUBSTRING(m.label FROM " + SIGN
            + " + 1 FOR " + BEFORE + " - " + SIGN + " - 1) ELSE SUBSTRING(m.label FROM " + SIGN + " + 1) END)";

    private static final String CHOICE_BEFORE = "SUBSTRING(m.label FROM " + BEFORE + " + 1)";

    private static final String IS_ON = "m.label LIKE '%+%'";

    private final Database database;
    private final String sql;

    ReactionRecount(Database database) {
        this.database = database;
        String counts = "SELECT c.owner AS post, c.name AS name, 0 AS expected, c.total AS counted"
                + " FROM ${counter_cell} c WHERE c.space = 'POSTS' AND c.name LIKE '+%/_%'";
        String both = "SELECT u.post AS post, u.name AS name, SUM(u.expected) AS expected, SUM(u.counted) AS counted"
                + " FROM ("
                + members(
                        CHOICE,
                        "CASE WHEN " + IS_ON + " AND (m.settled = 1 OR t.ticket IS NULL) THEN 1 WHEN NOT (" + IS_ON
                                + ") AND m.settled = 0 AND t.ticket IS NOT NULL THEN 1 ELSE 0 END",
                        "")
                + " UNION ALL "
                + members(
                        CHOICE_BEFORE,
                        "CASE WHEN m.settled = 0 AND t.ticket IS NOT NULL THEN 1 ELSE 0 END",
                        " AND " + BEFORE + " > 0")
                + " UNION ALL " + counts + ") u GROUP BY u.post, u.name HAVING SUM(u.expected) <> SUM(u.counted)";
        String kind = "SUBSTRING(b.name FROM 1 FOR POSITION('/' IN b.name))";
        String current = "CONCAT(" + kind + ", COALESCE(i.total, 0))";
        sql = database.sql("SELECT b.post, b.name, b.expected, b.counted FROM (" + both
                + ") b LEFT JOIN ${counter_cell} i ON i.space = 'POSTS' AND i.owner = b.post AND i.name = " + kind
                + " WHERE b.name = " + current + " OR SUBSTRING(b.name FROM 1 FOR CHAR_LENGTH(" + current
                + ") + 1) = CONCAT(" + current + ", '/') ORDER BY b.post, b.name LIMIT :most");
    }

    /** Selects the members with the name of the post's count: kind, incarnation, and choice if there is one. */
    private static String members(String choice, String expected, String condition) {
        return "SELECT " + POST + " AS post, CONCAT('+', SUBSTRING(m.member FROM 1 FOR POSITION('/' IN m.member)),"
                + " SUBSTRING(m.label FROM 1 FOR " + SIGN + " - 1), CASE WHEN " + choice
                + " = '' THEN '' ELSE CONCAT('/', "
                + choice + ") END) AS name, " + expected + " AS expected, 0 AS counted"
                + " FROM ${counter_member} m LEFT JOIN ${counter_ticket} t"
                + " ON t.space = 'POSTS' AND t.owner = " + POST + " AND t.ticket = m.number"
                + " WHERE m.space = 'REACTIONS'" + condition;
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
