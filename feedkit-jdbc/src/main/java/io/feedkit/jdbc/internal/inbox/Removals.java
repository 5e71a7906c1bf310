package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox.Retraction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Takes entries, or everything, out of inboxes. */
final class Removals {

    private final Database database;
    private final InboxRows rows;
    private final InboxEntries entries;
    private final InboxNotes notes;

    Removals(Database database, InboxRows rows, InboxEntries entries, InboxNotes notes) {
        this.database = database;
        this.rows = rows;
        this.entries = entries;
        this.notes = notes;
    }

    void retract(List<Retraction> retractions) {
        Set<Entry> distinct = new LinkedHashSet<>();
        for (Retraction retraction : retractions) {
            retraction.readers().forEach(reader -> distinct.add(new Entry(reader, retraction.post())));
        }
        List<Entry> unwanted = new ArrayList<>(distinct);
        unwanted.sort(Comparator.comparing(Entry::reader));
        Set<Entry> found = database.read("inbox.retract", handle -> entries.find(handle, unwanted));
        unwanted.retainAll(found);
        if (!unwanted.isEmpty()) {
            database.transaction("inbox.retract", handle -> {
                delete(handle, unwanted);
                return unwanted;
            });
        }
    }

    private void delete(Handle handle, List<Entry> unwanted) {
        Map<String, InboxRow> locked =
                rows.lock(handle, unwanted.stream().map(Entry::reader).toList());
        Set<Entry> found = entries.find(handle, unwanted);
        if (found.isEmpty()) {
            return;
        }
        Map<String, InboxRow> changed = new HashMap<>();
        for (Entry entry : found) {
            InboxRow row = locked.get(entry.reader());
            if (row != null) {
                InboxRow before = changed.getOrDefault(entry.reader(), row);
                changed.put(entry.reader(), before.holding(row.floor(), before.entries() - 1));
            }
        }
        entries.delete(handle, unwanted.stream().filter(found::contains).toList());
        rows.hold(handle, changed.values());
    }

    boolean purge(String reader, Collection<String> authors, long token) {
        return database.transaction("inbox.purge", handle -> {
            Optional<InboxRow> row = rows.lock(handle, reader);
            if (row.isEmpty()) {
                return false;
            }
            Map<String, Long> tokens = notes.find(handle, reader, authors);
            long epoch = row.get().epoch();
            List<String> allowed = authors.stream()
                    .filter(author -> tokens.getOrDefault(author, epoch) == token)
                    .toList();
            if (!allowed.isEmpty()) {
                int gone = entries.deleteAuthors(handle, reader, allowed);
                rows.hold(
                        handle,
                        List.of(row.get().holding(row.get().floor(), row.get().entries() - gone)));
            }
            return allowed.size() == authors.size();
        });
    }

    void drop(List<String> readers) {
        if (!readers.isEmpty()) {
            database.transaction("inbox.drop", handle -> {
                Set<String> locked = new TreeSet<>(rows.lock(handle, readers).keySet());
                locked.addAll(lockNoted(handle, readers, locked));
                if (!locked.isEmpty()) {
                    entries.clear(handle, locked);
                    notes.drop(handle, locked);
                    rows.drop(handle, List.copyOf(locked));
                }
                return locked;
            });
        }
    }

    /** Locks those readers who have notes but no row, as after a backup was restored in part. */
    private Set<String> lockNoted(Handle handle, List<String> readers, Set<String> locked) {
        Set<String> rowless = new TreeSet<>(readers);
        rowless.removeAll(locked);
        if (rowless.isEmpty()) {
            return rowless;
        }
        Set<String> noted = new TreeSet<>(notes.noted(handle, rowless));
        noted.forEach(reader -> rows.lockOrCreate(handle, reader));
        return noted;
    }
}
