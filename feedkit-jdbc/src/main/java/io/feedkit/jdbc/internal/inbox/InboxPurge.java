package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/**
 * Removes what is over: inboxes whose window has passed, with their entries, and epochs that nobody needs. Notes outlive everything, so the row of a reader
 * with notes stays, closed, and is not found again until the notes are gone.
 */
public final class InboxPurge {

    private static final int AT_ONCE = 100;
    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");

    private final Database database;
    private final InboxRows rows;
    private final InboxEntries entries;
    private final InboxNotes notes;
    private final String over;
    private final String keep;

    /** A purge of a database. */
    public InboxPurge(Database database) {
        this.database = database;
        this.rows = new InboxRows(database);
        this.entries = new InboxEntries(database);
        this.notes = new InboxNotes(database);
        over = database.sql(
                "SELECT b.reader FROM ${inbox} b WHERE b.ends_at <= ${now} ORDER BY b.ends_at LIMIT :limit FOR UPDATE SKIP LOCKED");
        keep = database.sql(new Joins(database.dialect())
                .update(
                        READERS,
                        "${inbox}",
                        "b",
                        "state = 'ABSENT', entries = 0, ends_at = " + Long.MAX_VALUE,
                        "b.reader = r.wanted"));
    }

    /**
     * Removes some of what is over, a few readers in each transaction; what somebody has locked is left for another time.
     *
     * @param limit the most readers
     * @return how many readers it was; fewer than the limit if no more could be had
     */
    public int run(int limit) {
        return MultiTransaction.run("inbox.purgeExpired", transactions -> run(limit, transactions));
    }

    private int run(int limit, MultiTransaction transactions) {
        int done = 0;
        while (done < limit) {
            int wanted = Math.min(AT_ONCE, limit - done);
            int removed = database.transaction("inbox.purgeExpired", handle -> remove(handle, wanted));
            transactions.committed(removed);
            done += removed;
            if (removed < wanted) {
                break;
            }
        }
        return done;
    }

    private int remove(Handle handle, int wanted) {
        List<String> found = database.query(handle, over)
                .bind("limit", wanted)
                .mapTo(String.class)
                .list();
        if (found.isEmpty()) {
            return 0;
        }
        entries.clear(handle, found);
        Set<String> noted = new TreeSet<>(notes.noted(handle, found));
        if (!noted.isEmpty()) {
            ParameterTable.Rows kept = READERS.fill();
            noted.forEach(kept::add);
            database.execute(handle, keep, kept);
        }
        List<String> gone =
                found.stream().filter(reader -> !noted.contains(reader)).toList();
        if (!gone.isEmpty()) {
            rows.drop(handle, gone);
        }
        return found.size();
    }
}
