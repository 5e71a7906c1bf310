package io.feedkit.jdbc.internal.inbox;

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

/** Delivers in any state of any inbox, full ones included: locks all rows first, then looks, inserts, trims. */
final class SafeDelivery {

    private final Database database;
    private final InboxRows rows;
    private final InboxEntries entries;
    private final Holdings holdings;

    SafeDelivery(Database database, InboxRows rows, InboxEntries entries, InboxLimits limits) {
        this.database = database;
        this.rows = rows;
        this.entries = entries;
        this.holdings = new Holdings(rows, entries, limits);
    }

    /** Delivers pushes to different readers, and returns what became of them by reader. */
    Map<String, Outcome> deliver(List<Push> pushes) {
        return pushes.isEmpty() ? Map.of() : database.transaction("inbox.deliver", handle -> deliver(handle, pushes));
    }

    private Map<String, Outcome> deliver(Handle handle, List<Push> pushes) {
        Map<String, InboxRow> locked =
                rows.lock(handle, pushes.stream().map(Push::reader).toList());
        Map<String, Outcome> outcomes = new HashMap<>();
        List<Push> wanted = new ArrayList<>();
        for (Push push : pushes) {
            push.refusal(Optional.ofNullable(locked.get(push.reader())))
                    .ifPresentOrElse(refusal -> outcomes.put(push.reader(), refusal), () -> wanted.add(push));
        }
        insert(handle, locked, wanted, outcomes);
        rows.close(
                handle,
                locked.values().stream()
                        .filter(InboxRow::isOverdue)
                        .map(InboxRow::reader)
                        .toList());
        return outcomes;
    }

    private void insert(Handle handle, Map<String, InboxRow> locked, List<Push> wanted, Map<String, Outcome> outcomes) {
        Set<Entry> present =
                entries.find(handle, wanted.stream().map(SafeDelivery::entry).toList());
        List<Push> added = new ArrayList<>();
        List<InboxRow> changed = new ArrayList<>();
        for (Push push : wanted) {
            InboxRow row = locked.get(push.reader());
            if (row == null || present.contains(entry(push))) {
                outcomes.put(push.reader(), Outcome.PRESENT);
            } else {
                added.add(push);
                changed.add(row.holding(row.floor(), row.entries() + 1));
            }
        }
        entries.insert(handle, added.stream().map(SafeDelivery::entry).toList());
        Map<String, InboxRow> settled = holdings.settle(handle, changed);
        for (Push push : added) {
            InboxRow row = settled.get(push.reader());
            outcomes.put(push.reader(), row != null && row.takes(push.post()) ? Outcome.ADDED : Outcome.BELOW_FLOOR);
        }
    }

    private static Entry entry(Push push) {
        return new Entry(push.reader(), push.post());
    }
}
