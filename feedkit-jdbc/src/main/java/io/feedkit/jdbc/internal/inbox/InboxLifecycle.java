package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxEntry;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTrimmer;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox.Merge;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Opens, fills and completes inboxes, and merges posts into them later. */
final class InboxLifecycle {

    /** The most posts of one transaction that merges posts into several inboxes. */
    private static final int POSTS_AT_ONCE = 20_000;

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

    /** Merges posts into inboxes. A transaction takes a limited number of posts, or one inbox. */
    List<Boolean> merge(List<Merge> merges) {
        return MultiTransaction.run("inbox.merge", transactions -> {
            List<Boolean> answers = new ArrayList<>(merges.size());
            int from = 0;
            while (from < merges.size()) {
                int below = from + 1;
                int posts = merges.get(from).posts().size();
                while (below < merges.size()
                        && posts + merges.get(below).posts().size() <= POSTS_AT_ONCE) {
                    posts += merges.get(below++).posts().size();
                }
                answers.addAll(mergeAtOnce(merges.subList(from, below)));
                transactions.committed(below - from);
                from = below;
            }
            return answers;
        });
    }

    private List<Boolean> mergeAtOnce(List<Merge> merges) {
        return database.transaction("inbox.merge", handle -> {
            Map<String, InboxRow> locked =
                    inboxes.lock(handle, merges.stream().map(Merge::reader).toList());
            List<Boolean> answers = new ArrayList<>(merges.size());
            List<InboxRow> rows = new ArrayList<>();
            List<Merge> accepted = new ArrayList<>();
            for (Merge merge : merges) {
                InboxRow row = locked.get(merge.reader());
                boolean isWanted = row != null && row.isOfGeneration(merge.generation());
                answers.add(isWanted);
                if (row != null && isWanted) {
                    rows.add(row);
                    accepted.add(merge);
                }
            }
            if (!rows.isEmpty()) {
                merge(handle, rows, accepted);
            }
            return answers;
        });
    }

    /** Merge i is for row i. */
    private void merge(Handle handle, List<InboxRow> rows, List<Merge> merges) {
        List<InboxRow> raised = new ArrayList<>(rows.size());
        List<InboxRow> withHigherFloor = new ArrayList<>();
        Set<InboxEntry> added = new LinkedHashSet<>();
        for (int i = 0; i < rows.size(); i++) {
            InboxRow row = rows.get(i);
            Merge merge = merges.get(i);
            InboxRow now = row.withContents(Position.max(row.floor(), merge.floor()), row.entries());
            raised.add(now);
            if (now.floor().compareTo(row.floor()) > 0) {
                withHigherFloor.add(now);
            }
            merge.posts().stream().filter(now::accepts).forEach(post -> added.add(new InboxEntry(row.reader(), post)));
        }
        Map<String, Integer> entriesChanged = new HashMap<>();
        if (!withHigherFloor.isEmpty()) {
            entries.deleteEachBelowFloor(handle, withHigherFloor)
                    .forEach((reader, gone) -> entriesChanged.put(reader, -gone));
        }
        added.removeAll(entries.find(handle, List.copyOf(added)));
        entries.insert(handle, new ArrayList<>(added));
        added.forEach(entry -> entriesChanged.merge(entry.reader(), 1, Integer::sum));
        trimmer.trimAndRecord(
                handle,
                raised.stream()
                        .map(row -> row.withContents(
                                row.floor(), row.entries() + entriesChanged.getOrDefault(row.reader(), 0)))
                        .toList());
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
