package io.feedkit.jdbc.internal.inbox.delivery;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxEntry;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTrimmer;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Delivers to inboxes in any state, full ones included: it locks all rows first, then inserts, then trims. */
final class LockingDelivery {

    private final Database database;
    private final InboxTable inboxes;
    private final EntryTable entries;
    private final InboxTrimmer trimmer;

    LockingDelivery(Database database, InboxTable inboxes, EntryTable entries, InboxLimits limits) {
        this.database = database;
        this.inboxes = inboxes;
        this.entries = entries;
        this.trimmer = new InboxTrimmer(inboxes, entries, limits);
    }

    /** Delivers to different readers, and returns the outcome for each reader. */
    Map<String, Outcome> deliver(List<InboxInsert> inserts) {
        return inserts.isEmpty() ? Map.of() : database.transaction("inbox.deliver", handle -> deliver(handle, inserts));
    }

    private Map<String, Outcome> deliver(Handle handle, List<InboxInsert> inserts) {
        Map<String, InboxRow> locked =
                inboxes.lock(handle, inserts.stream().map(InboxInsert::reader).toList());
        Map<String, Outcome> outcomes = new HashMap<>();
        List<InboxInsert> accepted = new ArrayList<>();
        for (InboxInsert insert : inserts) {
            insert.refusal(Optional.ofNullable(locked.get(insert.reader())))
                    .ifPresentOrElse(refusal -> outcomes.put(insert.reader(), refusal), () -> accepted.add(insert));
        }
        insert(handle, locked, accepted, outcomes);
        inboxes.close(
                handle,
                locked.values().stream()
                        .filter(InboxRow::isExpired)
                        .map(InboxRow::reader)
                        .toList());
        return outcomes;
    }

    private void insert(
            Handle handle, Map<String, InboxRow> locked, List<InboxInsert> accepted, Map<String, Outcome> outcomes) {
        Set<InboxEntry> present =
                entries.find(handle, accepted.stream().map(InboxInsert::entry).toList());
        List<InboxInsert> added = new ArrayList<>();
        List<InboxRow> changed = new ArrayList<>();
        for (InboxInsert insert : accepted) {
            InboxRow row = locked.get(insert.reader());
            if (row == null || present.contains(insert.entry())) {
                outcomes.put(insert.reader(), Outcome.PRESENT);
            } else {
                added.add(insert);
                changed.add(row.withContents(row.floor(), row.entries() + 1));
            }
        }
        entries.insert(handle, added.stream().map(InboxInsert::entry).toList());
        Map<String, InboxRow> trimmed = trimmer.trimAndRecord(handle, changed);
        for (InboxInsert insert : added) {
            InboxRow row = trimmed.get(insert.reader());
            outcomes.put(
                    insert.reader(), row != null && row.accepts(insert.post()) ? Outcome.ADDED : Outcome.BELOW_FLOOR);
        }
    }
}
