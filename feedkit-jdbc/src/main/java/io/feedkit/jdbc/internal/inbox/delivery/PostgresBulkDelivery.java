package io.feedkit.jdbc.internal.inbox.delivery;

import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Delivers to inboxes that have free space with one statement, on PostgreSQL. The statement locks the rows of these
 * inboxes, adds one to their numbers of entries, and inserts the entries. Most of the other readers have no inbox; a
 * query without locks finds them. {@link LockingDelivery} handles the remaining readers: full inboxes, and rows that
 * other transactions changed in between.
 *
 * <p>Every delivery locks rows in the order of readers, whatever the database's plan, so deliveries do not deadlock.
 * PostgreSQL checks a row's conditions once more after it has waited for the row's lock.
 */
final class PostgresBulkDelivery {

    private static final ParameterTable INSERTS =
            ParameterTable.named("r").text("wanted").position("post").number("seen");

    private final Database database;
    private final InboxTable inboxes;
    private final InboxLimits limits;
    private final String insertOnePost;
    private final String insertManyPosts;
    private final String uncount;

    /**
     * A delivery that did not insert all entries: the readers whose numbers of entries were increased, and the readers
     * with a new entry.
     */
    private record Partial(Set<String> counted, Set<String> added) {

        static Optional<Partial> of(ResultSet row) throws SQLException {
            return row.getBoolean("complete")
                    ? Optional.empty()
                    : Optional.of(new Partial(readers(row, "counted"), readers(row, "added")));
        }

        private static Set<String> readers(ResultSet row, String column) throws SQLException {
            return new HashSet<>(List.of((String[]) row.getArray(column).getArray()));
        }
    }

    PostgresBulkDelivery(Database database, InboxTable inboxes, InboxLimits limits) {
        this.database = database;
        this.inboxes = inboxes;
        this.limits = limits;
        // One post is passed as a parameter for each of its columns, which costs less than an array for each.
        insertOnePost = database.sql(insert(
                "b.reader",
                "${inbox} b WHERE b.reader = ANY(" + InboxTable.READERS.array(database.dialect()) + ")",
                ":",
                ":"));
        insertManyPosts = database.sql(insert(
                "b.reader, r.post_at, r.post_id, r.post_author",
                INSERTS.drivingSource(database.dialect()) + " JOIN ${inbox} b ON b.reader = r.wanted WHERE TRUE",
                "r.",
                "locked."));
        uncount = database.sql(new Joins(database.dialect())
                .update(InboxTable.READERS, "${inbox}", "b", "entries = entries - 1", "b.reader = r.wanted"));
    }

    /** {@code post} is the prefix of a post's columns in the source, {@code locked} their prefix after locking. */
    private static String insert(String columns, String source, String post, String locked) {
        return """
                WITH locked AS MATERIALIZED (
                    SELECT %1$s FROM %2$s
                       AND b.state <> 'ABSENT' AND b.ends_at > ${now} AND b.entries < :stored
                       AND (b.renewed_at >= %3$sseen OR b.state = 'BUILDING')
                       AND (b.floor_at, b.floor_id, b.floor_author) <= (%3$spost_at, %3$spost_id, %3$spost_author)
                     ORDER BY b.reader FOR NO KEY UPDATE OF b),
                counted AS (
                    UPDATE ${inbox} b SET entries = b.entries + 1 FROM locked WHERE b.reader = locked.reader
                    RETURNING b.reader, %4$spost_at AS at, %4$spost_id AS id, %4$spost_author AS author),
                added AS (
                    INSERT INTO ${inbox_entry} (reader, published_at, id, author)
                    SELECT reader, at, id, author FROM counted
                    ON CONFLICT DO NOTHING RETURNING reader),
                result AS (SELECT count(*) = :inserts AS complete FROM added)
                SELECT complete, CASE WHEN NOT complete THEN ARRAY(SELECT reader FROM counted) END AS counted,
                       CASE WHEN NOT complete THEN ARRAY(SELECT reader FROM added) END AS added
                  FROM result""".formatted(columns, source, post, locked);
    }

    /**
     * Delivers to different readers, sorted by reader. Puts the outcomes into the map, and returns the inserts that
     * have no outcome yet.
     */
    List<InboxInsert> deliver(List<InboxInsert> inserts, Map<String, Outcome> outcomes, MultiTransaction transactions) {
        Optional<Partial> partial = database.transaction("inbox.deliver", handle -> deliver(handle, inserts));
        transactions.committed(partial.map(done -> done.added().size()).orElse(inserts.size()));
        if (partial.isEmpty()) {
            inserts.forEach(insert -> outcomes.put(insert.reader(), Outcome.ADDED));
            return List.of();
        }
        partial.get().counted().forEach(reader -> outcomes.put(reader, Outcome.PRESENT));
        partial.get().added().forEach(reader -> outcomes.put(reader, Outcome.ADDED));
        return refuse(remaining(inserts, outcomes), outcomes);
    }

    private Optional<Partial> deliver(Handle handle, List<InboxInsert> inserts) {
        InboxInsert first = inserts.get(0);
        boolean ofOnePost = inserts.stream().allMatch(insert -> insert.delivery() == first.delivery());
        Query query = ofOnePost ? onePost(handle, first, inserts) : manyPosts(handle, inserts);
        Optional<Partial> partial = query.bind("stored", limits.stored())
                .bind("inserts", inserts.size())
                .map((row, context) -> Partial.of(row))
                .one();
        partial.ifPresent(done -> uncountPresent(handle, done));
        return partial;
    }

    private Query onePost(Handle handle, InboxInsert first, List<InboxInsert> inserts) {
        ParameterTable.Rows readers = InboxTable.READERS.fill();
        inserts.forEach(insert -> readers.add(insert.reader()));
        return database.query(handle, insertOnePost, readers)
                .bind("post_at", first.post().publishedAt().toEpochMilli())
                .bind("post_id", first.post().id())
                .bind("post_author", first.post().author())
                .bind("seen", first.seenSince());
    }

    private Query manyPosts(Handle handle, List<InboxInsert> inserts) {
        ParameterTable.Rows rows = INSERTS.fill();
        inserts.forEach(insert -> rows.add(insert.reader(), Position.of(insert.post()), insert.seenSince()));
        return database.query(handle, insertManyPosts, rows);
    }

    /** Undoes the count of entries that were already present. */
    private void uncountPresent(Handle handle, Partial done) {
        Set<String> present = new HashSet<>(done.counted());
        present.removeAll(done.added());
        if (!present.isEmpty()) {
            database.execute(handle, uncount, InboxTable.READERS.ofIds(present));
        }
    }

    private static List<InboxInsert> remaining(List<InboxInsert> inserts, Map<String, Outcome> outcomes) {
        return inserts.stream()
                .filter(insert -> !outcomes.containsKey(insert.reader()))
                .toList();
    }

    /**
     * Refuses inserts for readers without an inbox that accepts the post. Leaves out expired inboxes, which have to be
     * closed under a lock.
     */
    private List<InboxInsert> refuse(List<InboxInsert> inserts, Map<String, Outcome> outcomes) {
        if (inserts.isEmpty()) {
            return inserts;
        }
        Map<String, InboxRow> found = database.read(
                "inbox.deliver",
                handle -> inboxes.find(
                        handle, inserts.stream().map(InboxInsert::reader).toList()));
        for (InboxInsert insert : inserts) {
            Optional<InboxRow> row = Optional.ofNullable(found.get(insert.reader()));
            if (row.filter(InboxRow::isExpired).isEmpty()) {
                insert.refusal(row).ifPresent(refusal -> outcomes.put(insert.reader(), refusal));
            }
        }
        return remaining(inserts, outcomes);
    }
}
