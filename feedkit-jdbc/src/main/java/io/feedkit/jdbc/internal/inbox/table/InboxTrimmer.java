package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** Records the contents of locked inboxes after insertions, and trims the inboxes that have too many entries. */
public final class InboxTrimmer {

    private final InboxTable inboxes;
    private final EntryTable entries;
    private final InboxLimits limits;

    /** Creates a trimmer with limits. */
    public InboxTrimmer(InboxTable inboxes, EntryTable entries, InboxLimits limits) {
        this.inboxes = inboxes;
        this.entries = entries;
        this.limits = limits;
    }

    /** Trims inboxes that have too many entries, records the contents of all, and returns the rows as recorded. */
    public Map<String, InboxRow> trimAndRecord(Handle handle, Collection<InboxRow> changed) {
        Map<String, InboxRow> trimmed = new HashMap<>();
        Map<String, Integer> excess = new TreeMap<>();
        for (InboxRow row : changed) {
            trimmed.put(row.reader(), row);
            if (row.entries() > limits.stored()) {
                excess.put(row.reader(), row.entries() - limits.cap());
            }
        }
        if (!excess.isEmpty()) {
            trim(handle, trimmed, excess);
        }
        inboxes.recordContents(handle, trimmed.values());
        return trimmed;
    }

    private void trim(Handle handle, Map<String, InboxRow> rows, Map<String, Integer> excess) {
        Map<String, Position> floors = entries.lowestKept(handle, excess);
        floors.forEach(
                (reader, floor) -> rows.computeIfPresent(reader, (same, row) -> row.withContents(floor, limits.cap())));
        List<InboxRow> trimmed =
                floors.keySet().stream().sorted().map(rows::get).toList();
        if (!trimmed.isEmpty()) {
            entries.deleteBelowFloor(handle, trimmed);
        }
    }
}
