package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Inbox.Window;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the live windows of inboxes. The row of an expired inbox has its last window until the inbox is closed. */
final class WindowReader {

    private final Database database;
    private final InboxTable inboxes;

    WindowReader(Database database, InboxTable inboxes) {
        this.database = database;
        this.inboxes = inboxes;
    }

    List<Window> read(List<String> readers) {
        Map<String, InboxRow> rows =
                database.read("inbox.windows", handle -> inboxes.find(handle, new LinkedHashSet<>(readers)));
        return readers.stream().map(reader -> window(rows.get(reader))).toList();
    }

    private static Window window(@Nullable InboxRow row) {
        return row == null || row.state() != State.LIVE ? Window.UNKNOWN : new Window(row.renewedAt(), row.endsAt());
    }
}
