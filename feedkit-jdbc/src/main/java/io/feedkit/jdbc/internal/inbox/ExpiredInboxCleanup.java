package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Deletes expired inboxes, with their entries, and expired epochs. Pending follows outlive both. The row of a reader
 * with pending follows is closed and kept, and the cleanup does not find it again until the pending follows have ended.
 */
public final class ExpiredInboxCleanup {

    private static final int AT_ONCE = 100;

    private final Database database;
    private final InboxTable inboxes;
    private final EntryTable entries;
    private final PendingFollowTable pendingFollows;
    private final String findExpired;
    private final String close;

    /** Creates the cleanup of a database. */
    public ExpiredInboxCleanup(Database database) {
        this.database = database;
        this.inboxes = new InboxTable(database);
        this.entries = new EntryTable(database);
        this.pendingFollows = new PendingFollowTable(database);
        findExpired = database.sql("SELECT b.reader FROM ${inbox} b WHERE b.ends_at <= ${now}"
                + " ORDER BY b.ends_at LIMIT :limit FOR UPDATE SKIP LOCKED");
        close = database.sql(new Joins(database.dialect())
                .update(
                        InboxTable.READERS,
                        "${inbox}",
                        "b",
                        "state = 'ABSENT', entries = 0, ends_at = " + Long.MAX_VALUE,
                        "b.reader = r.wanted"));
    }

    /**
     * Cleans up, with a few readers in each transaction. Skips locked rows.
     *
     * @param limit the maximum number of readers
     * @return the number of readers; if it is less than the limit, no more unlocked expired rows were found
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
        List<String> found = database.query(handle, findExpired)
                .bind("limit", wanted)
                .mapTo(String.class)
                .list();
        if (found.isEmpty()) {
            return 0;
        }
        entries.clear(handle, found);
        Set<String> pending = pendingFollows.findReaders(handle, found);
        if (!pending.isEmpty()) {
            database.execute(handle, close, InboxTable.READERS.ofIds(pending));
        }
        List<String> gone =
                found.stream().filter(reader -> !pending.contains(reader)).toList();
        if (!gone.isEmpty()) {
            inboxes.delete(handle, gone);
        }
        return found.size();
    }
}
