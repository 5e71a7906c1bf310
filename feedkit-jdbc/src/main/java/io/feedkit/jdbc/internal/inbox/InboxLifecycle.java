package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxEntry;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTrimmer;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Opens, fills and completes inboxes, and merges posts into them later. */
final class InboxLifecycle {

    private final Database database;
    private final InboxTable inboxes;
    private final EntryTable entries;
    private final InboxTrimmer trimmer;
    private final Tokens tokens;
    private final long window;
    private final String open;
    private final String complete;

    InboxLifecycle(Database database, InboxTable inboxes, EntryTable entries, Tokens tokens, InboxLimits limits) {
        this.database = database;
        this.inboxes = inboxes;
        this.entries = entries;
        this.trimmer = new InboxTrimmer(inboxes, entries, limits);
        this.tokens = tokens;
        this.window = Durations.bounded(limits.liveWindowMillis());
        open = database.sql("""
                UPDATE ${inbox} SET state = 'BUILDING', generation = :generation, epoch = :epoch, ends_at = :ends,
                       lease_until = :lease, renewed_at = :now_read, mark = 0, followees = 0,
                       floor_at = 0, floor_id = '', floor_author = '', entries = 0
                 WHERE reader = :reader""");
        complete = database.sql("""
                UPDATE ${inbox} SET
                       epoch = CASE WHEN state = 'BUILDING' OR followees <> :followees THEN :epoch ELSE epoch END,
                       mark = :mark,
                       followees = :followees,
                       ends_at = CASE WHEN state = 'BUILDING' THEN ${now} + :window ELSE ends_at END,
                       renewed_at = CASE WHEN state = 'BUILDING' THEN ${now} ELSE renewed_at END,
                       state = 'LIVE'
                 WHERE reader = :reader AND generation = :generation AND state <> 'ABSENT' AND ends_at > ${now}""");
    }

    Opening open(String reader, long leaseMillis, boolean replace) {
        return database.transaction("inbox.open", handle -> {
            InboxRow row = inboxes.lockOrCreate(handle, reader);
            if (row.isLeased()) {
                return new Opening(Opening.Status.BUSY, 0);
            }
            if (row.isLive() && !replace) {
                return new Opening(Opening.Status.LIVE, 0);
            }
            return new Opening(Opening.Status.OPENED, open(handle, row, Durations.bounded(leaseMillis)));
        });
    }

    private long open(Handle handle, InboxRow row, long lease) {
        entries.clear(handle, Set.of(row.reader()));
        long generation = tokens.next();
        database.update(handle, open)
                .bind("generation", generation)
                .bind("epoch", row.epoch() == 0 ? tokens.next() : row.epoch())
                .bind("ends", row.now() + Math.max(lease, window))
                .bind("lease", row.now() + lease)
                .bind("now_read", row.now())
                .bind("reader", row.reader())
                .execute();
        return generation;
    }

    boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return database.transaction("inbox.merge", handle -> {
            Optional<InboxRow> row = inboxes.lock(handle, reader).filter(locked -> locked.isOfGeneration(generation));
            row.ifPresent(locked -> merge(handle, locked, posts, floor));
            return row.isPresent();
        });
    }

    private void merge(Handle handle, InboxRow row, List<Post> posts, Position floor) {
        InboxRow raised = row.withContents(Position.max(row.floor(), floor), row.entries());
        int dropped = floor.compareTo(row.floor()) > 0 ? entries.deleteBelowFloor(handle, List.of(raised)) : 0;
        Set<InboxEntry> added = new LinkedHashSet<>();
        for (Post post : posts) {
            if (raised.accepts(post)) {
                added.add(new InboxEntry(row.reader(), post));
            }
        }
        added.removeAll(entries.find(handle, List.copyOf(added)));
        entries.insert(handle, new ArrayList<>(added));
        trimmer.trimAndRecord(
                handle, List.of(raised.withContents(raised.floor(), row.entries() - dropped + added.size())));
    }

    boolean complete(String reader, long generation, long mark, long followees) {
        return database.statement(
                "inbox.complete",
                handle -> database.update(handle, complete)
                                .bind("epoch", tokens.next())
                                .bind("mark", mark)
                                .bind("followees", followees)
                                .bind("window", window)
                                .bind("reader", reader)
                                .bind("generation", generation)
                                .execute()
                        > 0);
    }
}
