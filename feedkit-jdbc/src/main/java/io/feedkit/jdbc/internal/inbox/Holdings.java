package io.feedkit.jdbc.internal.inbox;

import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** Notes what locked inboxes hold after insertions, and trims those that hold too much. */
final class Holdings {

    private final InboxRows rows;
    private final InboxEntries entries;
    private final InboxLimits limits;

    Holdings(InboxRows rows, InboxEntries entries, InboxLimits limits) {
        this.rows = rows;
        this.entries = entries;
        this.limits = limits;
    }

    /** Trims what is too full, notes all, and returns the rows as they are then. */
    Map<String, InboxRow> settle(Handle handle, Collection<InboxRow> changed) {
        Map<String, InboxRow> settled = new HashMap<>();
        Map<String, Integer> excess = new TreeMap<>();
        for (InboxRow row : changed) {
            settled.put(row.reader(), row);
            if (row.entries() > limits.stored()) {
                excess.put(row.reader(), row.entries() - limits.cap());
            }
        }
        if (!excess.isEmpty()) {
            trim(handle, settled, excess);
        }
        rows.hold(handle, settled.values());
        return settled;
    }

    private void trim(Handle handle, Map<String, InboxRow> settled, Map<String, Integer> excess) {
        Map<String, Position> floors = entries.lowestKept(handle, excess);
        floors.forEach(
                (reader, floor) -> settled.computeIfPresent(reader, (same, row) -> row.holding(floor, limits.cap())));
        List<InboxRow> trimmed =
                floors.keySet().stream().sorted().map(settled::get).toList();
        if (!trimmed.isEmpty()) {
            entries.deleteBelowFloor(handle, trimmed);
        }
    }
}
