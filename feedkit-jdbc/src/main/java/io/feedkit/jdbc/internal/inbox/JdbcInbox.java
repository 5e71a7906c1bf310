package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.inbox.delivery.InboxDelivery;
import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.inbox.table.PendingFollowTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.IdWalk;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The inboxes in SQL. The table {@code inbox} has a row for each reader who has an inbox, an epoch or pending follows.
 * The table {@code inbox_entry} has a row for each entry.
 *
 * <p>Every write locks the reader's row of {@code inbox} first. Every read is one statement, which sees one moment.
 * Each operation is therefore atomic for a reader. The row of {@code inbox} has the exact number of entries. No
 * statement counts entries to find out whether an inbox is full, or which entry is the lowest served one.
 *
 * <p>An expired inbox counts as absent, and stays absent: a delivery that finds one closes it. Otherwise a clock that
 * is set back, or a renewal that read the clock a moment earlier, would revive an inbox that lacks the posts refused in
 * between. The entries of an expired inbox are deleted when the next one is opened, or by {@link ExpiredInboxCleanup}.
 *
 * <p>A renewal is recorded only if the last one is older than a ten-thousandth of the live window, at most ten seconds;
 * so reads seldom write. {@link Inbox.Delivery#seenSince} and the end of the window refer to the last recorded renewal.
 */
public final class JdbcInbox implements Inbox {

    private final SourceTable source;
    private final IdWalk walk;
    private final InboxDelivery delivery;
    private final SliceReader slices;
    private final WindowReader windows;
    private final InboxCounter counter;
    private final InboxLifecycle lifecycle;
    private final InboxDeletes deletes;
    private final FollowEpochs follows;

    /** Creates the inboxes in a database, with limits. */
    public JdbcInbox(Database database, InboxLimits limits) {
        InboxTable inboxes = new InboxTable(database);
        EntryTable entries = new EntryTable(database);
        PendingFollowTable pendingFollows = new PendingFollowTable(database);
        Tokens tokens = new Tokens();
        source = new SourceTable(database);
        walk = IdWalk.ofUnique(database, "inbox.forEachReader", "${inbox}", "reader");
        delivery = new InboxDelivery(database, inboxes, entries, limits);
        slices = new SliceReader(database, limits);
        windows = new WindowReader(database, inboxes);
        counter = new InboxCounter(database, limits);
        lifecycle = new InboxLifecycle(database, inboxes, entries, tokens, limits);
        deletes = new InboxDeletes(database, inboxes, entries, pendingFollows);
        follows = new FollowEpochs(database, inboxes, entries, pendingFollows, tokens, limits);
    }

    @Override
    public void claim(String identity) {
        source.claimInboxes(identity);
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return delivery.deliver(deliveries);
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        return queries.isEmpty() ? List.of() : slices.slice(queries);
    }

    @Override
    public List<Count> count(List<CountQuery> queries) {
        return queries.isEmpty() ? List.of() : counter.count(queries);
    }

    @Override
    public List<Window> windows(List<String> readers) {
        return readers.isEmpty() ? List.of() : windows.read(readers);
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        return lifecycle.open(reader, leaseMillis, replace);
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return merge(List.of(new Merge(reader, generation, posts, floor))).get(0);
    }

    @Override
    public List<Boolean> merge(List<Merge> merges) {
        return lifecycle.merge(merges);
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        return lifecycle.complete(reader, generation, mark, followees);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        deletes.retract(retractions);
    }

    @Override
    public void remove(List<Removal> removals) {
        deletes.remove(removals);
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        return purge(List.of(new PendingChange(reader, List.copyOf(authors), token, 0)))
                .get(0);
    }

    @Override
    public List<Boolean> purge(List<PendingChange> changes) {
        return changes.isEmpty() ? List.of() : deletes.purge(changes);
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        return beginFollow(List.of(reader), authors).get(0);
    }

    @Override
    public List<Long> beginFollow(List<String> readers, Collection<String> authors) {
        return readers.isEmpty() ? List.of() : follows.begin(readers, authors);
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return endFollow(List.of(new PendingChange(reader, List.copyOf(authors), token, toggled)))
                .get(0);
    }

    @Override
    public List<Set<String>> endFollow(List<PendingChange> changes) {
        return changes.isEmpty() ? List.of() : follows.end(changes);
    }

    @Override
    public void drop(List<String> readers) {
        deletes.drop(readers);
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        walk.each(visitor);
    }
}
