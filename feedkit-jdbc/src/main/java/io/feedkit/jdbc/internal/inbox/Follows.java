package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Epochs and notes: what a reader follows, and what is on its way. */
final class Follows {

    private final Database database;
    private final InboxRows rows;
    private final InboxEntries entries;
    private final InboxNotes notes;
    private final Tokens tokens;
    private final long window;
    private final String renew;
    private final String forget;

    Follows(
            Database database,
            InboxRows rows,
            InboxEntries entries,
            InboxNotes notes,
            Tokens tokens,
            InboxLimits limits) {
        this.database = database;
        this.rows = rows;
        this.entries = entries;
        this.notes = notes;
        this.tokens = tokens;
        this.window = Windows.bounded(limits.liveWindowMillis());
        renew = database.sql("""
                UPDATE ${inbox} SET epoch = :epoch, state = :state, ends_at = :ends, entries = :entries WHERE reader = :reader""");
        forget = database.sql("UPDATE ${inbox} SET epoch = 0 WHERE reader = :reader");
    }

    long begin(String reader, String author) {
        return database.transaction("inbox.beginFollow", handle -> {
            long epoch = renew(handle, rows.lockOrCreate(handle, reader));
            notes.put(handle, reader, author, epoch);
            return epoch;
        });
    }

    boolean end(String reader, String author, long token) {
        return database.transaction("inbox.endFollow", handle -> {
            Optional<InboxRow> row = rows.lock(handle, reader);
            if (row.isEmpty() || !notes.remove(handle, reader, author, token)) {
                return false;
            }
            renew(handle, row.get());
            return true;
        });
    }

    long recordUnfollow(String reader, String author) {
        return database.transaction("inbox.recordUnfollow", handle -> {
            Optional<InboxRow> row = rows.lock(handle, reader);
            if (row.isEmpty()) {
                return 0L;
            }
            if (!row.get().isOpen() && notes.noted(handle, Set.of(reader)).isEmpty()) {
                // Whoever knows the old epoch must not take what was followed at it for what is followed now.
                database.update(handle, forget).bind("reader", reader).execute();
                return 0L;
            }
            notes.remove(handle, reader, author);
            return renew(handle, row.get());
        });
    }

    /** Sets a new epoch. An inbox that is over is closed, and the epoch lasts as long as an inbox would. */
    private long renew(Handle handle, InboxRow row) {
        if (!row.isOpen()) {
            entries.clear(handle, Set.of(row.reader()));
        }
        long epoch = tokens.next();
        database.update(handle, renew)
                .bind("epoch", epoch)
                .bind("state", row.isOpen() ? row.state().name() : State.ABSENT.name())
                .bind("ends", row.isOpen() ? row.endsAt() : row.now() + window)
                .bind("entries", row.isOpen() ? row.entries() : 0)
                .bind("reader", row.reader())
                .execute();
        return epoch;
    }
}
