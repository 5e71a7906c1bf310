package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
                UPDATE ${inbox} SET epoch = :epoch, state = :state, ends_at = :ends, entries = :entries, followees = :followees
                 WHERE reader = :reader""");
    }

    long begin(String reader, Collection<String> authors) {
        return database.transaction("inbox.beginFollow", handle -> {
            InboxRow row = rows.lockOrCreate(handle, reader);
            long epoch = renew(handle, row, row.followees());
            notes.put(handle, reader, authors, epoch);
            return epoch;
        });
    }

    /** Ends the notes with this token; says which authors have none such. */
    Set<String> end(String reader, Collection<String> authors, long token, long toggled) {
        return database.transaction("inbox.endFollow", handle -> {
            Set<String> refused = new HashSet<>(authors);
            Optional<InboxRow> row = rows.lock(handle, reader);
            if (row.isEmpty()) {
                return refused;
            }
            Map<String, Long> tokens = notes.find(handle, reader, authors);
            List<String> ended = authors.stream()
                    .filter(author -> tokens.getOrDefault(author, 0L) == token)
                    .toList();
            if (!ended.isEmpty()) {
                ended.forEach(refused::remove);
                notes.remove(handle, reader, ended);
                long followees = row.get().followees();
                renew(handle, row.get(), refused.isEmpty() ? followees ^ toggled : followees);
            }
            return refused;
        });
    }

    /** Sets a new epoch. An inbox that is over is closed, and the epoch lasts as long as an inbox would. */
    private long renew(Handle handle, InboxRow row, long followees) {
        if (!row.isOpen()) {
            entries.clear(handle, Set.of(row.reader()));
        }
        long epoch = tokens.next();
        database.update(handle, renew)
                .bind("epoch", epoch)
                .bind("state", row.isOpen() ? row.state().name() : State.ABSENT.name())
                .bind("ends", row.isOpen() ? row.endsAt() : row.now() + window)
                .bind("entries", row.isOpen() ? row.entries() : 0)
                .bind("followees", followees)
                .bind("reader", row.reader())
                .execute();
        return epoch;
    }
}
