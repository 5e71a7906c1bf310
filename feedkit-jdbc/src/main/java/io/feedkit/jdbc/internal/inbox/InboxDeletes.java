package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxEntry;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox.PendingChange;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Deletes entries of inboxes, and whole inboxes. */
final class InboxDeletes {

    private final Database database;
    private final InboxTable inboxes;
    private final EntryTable entries;
    private final PendingFollowTable pendingFollows;

    InboxDeletes(Database database, InboxTable inboxes, EntryTable entries, PendingFollowTable pendingFollows) {
        this.database = database;
        this.inboxes = inboxes;
        this.entries = entries;
        this.pendingFollows = pendingFollows;
    }

    void retract(List<Retraction> retractions) {
        Set<InboxEntry> distinct = new LinkedHashSet<>();
        for (Retraction retraction : retractions) {
            retraction.readers().forEach(reader -> distinct.add(new InboxEntry(reader, retraction.post())));
        }
        List<InboxEntry> unwanted = new ArrayList<>(distinct);
        unwanted.sort(Comparator.comparing(InboxEntry::reader));
        Set<InboxEntry> found = database.read("inbox.retract", handle -> entries.find(handle, unwanted));
        unwanted.retainAll(found);
        if (!unwanted.isEmpty()) {
            database.transaction("inbox.retract", handle -> {
                delete(handle, unwanted);
                return unwanted;
            });
        }
    }

    void remove(List<Removal> removals) {
        List<InboxEntry> found = database.read("inbox.remove", handle -> entries.findAtAnyTime(handle, removals));
        if (!found.isEmpty()) {
            database.transaction("inbox.remove", handle -> {
                delete(handle, found);
                return found;
            });
        }
    }

    private void delete(Handle handle, List<InboxEntry> unwanted) {
        Map<String, InboxRow> locked =
                inboxes.lock(handle, unwanted.stream().map(InboxEntry::reader).toList());
        Set<InboxEntry> found = entries.find(handle, unwanted);
        if (found.isEmpty()) {
            return;
        }
        Map<String, InboxRow> changed = new HashMap<>();
        for (InboxEntry entry : found) {
            InboxRow row = locked.get(entry.reader());
            if (row != null) {
                InboxRow before = changed.getOrDefault(entry.reader(), row);
                changed.put(entry.reader(), before.withContents(row.floor(), before.entries() - 1));
            }
        }
        entries.delete(handle, unwanted.stream().filter(found::contains).toList());
        inboxes.recordContents(handle, changed.values());
    }

    List<Boolean> purge(List<PendingChange> changes) {
        return database.transaction("inbox.purge", handle -> {
            Map<String, InboxRow> rows = inboxes.lock(
                    handle, changes.stream().map(PendingChange::reader).toList());
            Map<String, Map<String, Long>> pending = new HashMap<>();
            pendingFollows
                    .find(handle, changes)
                    .forEach(follow -> pending.computeIfAbsent(follow.reader(), reader -> new HashMap<>())
                            .put(follow.author(), follow.value()));
            List<Boolean> valid = new ArrayList<>(changes.size());
            Map<String, List<String>> unwanted = new TreeMap<>();
            for (PendingChange change : changes) {
                InboxRow row = rows.get(change.reader());
                Map<String, Long> tokens = pending.getOrDefault(change.reader(), Map.of());
                List<String> allowed = change.authors().stream()
                        .filter(author -> row != null && tokens.getOrDefault(author, row.epoch()) == change.token())
                        .toList();
                valid.add(row != null && allowed.size() == change.authors().size());
                if (row != null && row.entries() > 0 && !allowed.isEmpty()) {
                    unwanted.put(change.reader(), allowed);
                }
            }
            deleteAuthors(handle, rows, unwanted);
            return valid;
        });
    }

    private void deleteAuthors(Handle handle, Map<String, InboxRow> rows, Map<String, List<String>> unwanted) {
        List<InboxRow> changed = new ArrayList<>();
        entries.deleteAuthors(handle, unwanted).forEach((reader, gone) -> {
            InboxRow row = rows.get(reader);
            if (row != null) {
                changed.add(row.withContents(row.floor(), row.entries() - gone));
            }
        });
        inboxes.recordContents(handle, changed);
    }

    void drop(List<String> readers) {
        if (!readers.isEmpty()) {
            database.transaction("inbox.drop", handle -> {
                Set<String> locked = new TreeSet<>(inboxes.lock(handle, readers).keySet());
                locked.addAll(lockPending(handle, readers, locked));
                if (!locked.isEmpty()) {
                    entries.clear(handle, locked);
                    pendingFollows.clear(handle, locked);
                    inboxes.delete(handle, locked);
                }
                return locked;
            });
        }
    }

    /** Locks readers who have pending follows but no row, as after a partial restore of a backup. */
    private Set<String> lockPending(Handle handle, List<String> readers, Set<String> locked) {
        Set<String> rowless = new TreeSet<>(readers);
        rowless.removeAll(locked);
        if (rowless.isEmpty()) {
            return rowless;
        }
        Set<String> pending = new TreeSet<>(pendingFollows.findReaders(handle, rowless));
        pending.forEach(reader -> inboxes.lockOrCreate(handle, reader));
        return pending;
    }
}
