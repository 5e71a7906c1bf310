package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable.Token;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox.PendingChange;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    }

    /** Begins a change of each reader. All readers get the same token. */
    List<Long> begin(List<String> readers, Collection<String> authors) {
        long token = tokens.next();
        return database.transaction("inbox.beginFollow", handle -> {
            Collection<InboxRow> rows = inboxes.lockOrCreate(handle, readers).values();
            renew(handle, rows, token);
            pendingFollows.put(handle, readers, authors, token);
            return Collections.nCopies(readers.size(), token);
        });
    }

    /** Ends the pending follows that have the token of their change, and returns the other authors of each change. */
    List<Set<String>> end(List<PendingChange> changes) {
        return database.transaction("inbox.endFollow", handle -> {
            Map<String, InboxRow> rows = inboxes.lock(
                    handle, changes.stream().map(PendingChange::reader).toList());
            Set<Token> pending = pendingFollows.find(handle, changes);
            List<Set<String>> refused = new ArrayList<>(changes.size());
            List<InboxRow> changed = new ArrayList<>();
            List<Token> ended = new ArrayList<>();
            for (PendingChange change : changes) {
                InboxRow row = rows.get(change.reader());
                Set<String> others = new HashSet<>(change.authors());
                for (String author : change.authors()) {
                    Token token = new Token(change.reader(), author, change.token());
                    if (row != null && pending.contains(token) && others.remove(author)) {
                        ended.add(token);
                    }
                }
                refused.add(others);
                if (row != null && others.size() < change.authors().size()) {
                    changed.add(others.isEmpty() ? row.withFollowees(row.followees() ^ change.toggled()) : row);
                }
            }
            if (!changed.isEmpty()) {
                pendingFollows.delete(handle, ended);
                renew(handle, changed, tokens.next());
            }
            return refused;
        });
    }

    /** Sets a new epoch. An expired inbox is closed, and its epoch is kept for a live window. */
    private void renew(Handle handle, Collection<InboxRow> rows, long epoch) {
        List<String> closed =
                rows.stream().filter(row -> !row.isOpen()).map(InboxRow::reader).toList();
        if (!closed.isEmpty()) {
            entries.clear(handle, closed);
        }
        inboxes.recordEpochs(
                handle,
                rows.stream()
                        .map(row -> row.isOpen() ? row : row.closed(row.now() + window))
                        .toList(),
                epoch);
    }
}
