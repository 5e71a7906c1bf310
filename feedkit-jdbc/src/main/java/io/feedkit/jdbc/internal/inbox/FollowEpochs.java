package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Durations;
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

/** Begins and ends follows: each changes the reader's epoch and pending follows. */
final class FollowEpochs {

    private final Database database;
    private final InboxTable inboxes;
    private final EntryTable entries;
    private final PendingFollowTable pendingFollows;
    private final Tokens tokens;
    private final long window;
    private final String renew;

    FollowEpochs(
            Database database,
            InboxTable inboxes,
            EntryTable entries,
            PendingFollowTable pendingFollows,
            Tokens tokens,
            InboxLimits limits) {
        this.database = database;
        this.inboxes = inboxes;
        this.entries = entries;
        this.pendingFollows = pendingFollows;
        this.tokens = tokens;
        this.window = Durations.bounded(limits.liveWindowMillis());
        renew = database.sql("""
                UPDATE ${inbox} SET epoch = :epoch, state = :state, ends_at = :ends, entries = :entries,
                       followees = :followees
                 WHERE reader = :reader""");
    }

    long begin(String reader, Collection<String> authors) {
        return database.transaction("inbox.beginFollow", handle -> {
            InboxRow row = inboxes.lockOrCreate(handle, reader);
            long epoch = renew(handle, row, row.followees());
            pendingFollows.put(handle, reader, authors, epoch);
            return epoch;
        });
    }

    /** Ends the pending follows that have this token, and returns the other authors. */
    Set<String> end(String reader, Collection<String> authors, long token, long toggled) {
        return database.transaction("inbox.endFollow", handle -> {
            Set<String> refused = new HashSet<>(authors);
            Optional<InboxRow> row = inboxes.lock(handle, reader);
            if (row.isEmpty()) {
                return refused;
            }
            Map<String, Long> tokens = pendingFollows.find(handle, reader, authors);
            List<String> ended = authors.stream()
                    .filter(author -> tokens.getOrDefault(author, 0L) == token)
                    .toList();
            if (!ended.isEmpty()) {
                ended.forEach(refused::remove);
                pendingFollows.delete(handle, reader, ended);
                long followees = row.get().followees();
                renew(handle, row.get(), refused.isEmpty() ? followees ^ toggled : followees);
            }
            return refused;
        });
    }

    /** Sets a new epoch. An expired inbox is closed, and its epoch is kept for a live window. */
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
