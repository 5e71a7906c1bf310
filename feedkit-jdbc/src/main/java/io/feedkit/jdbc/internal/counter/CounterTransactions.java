package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.HostConnections;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;

/**
 * The counters in SQL. Each call runs in one transaction: its own, or the host's. A call that computes new values locks
 * its cells in the order of their keys; then it reads, computes and writes. A call that changes a set locks the owner's
 * cell {@code ""}.
 */
public final class CounterTransactions implements CounterSource {

    /** The maximum number of pages that a call visits to find rows to remove. */
    private static final int PAGES = 20;

    /** If no view is expired, the next scan of views starts {@code viewsKept} divided by this number later. */
    private static final int RESTS = 8;

    private static final Duration ZEROS_REST = Duration.ofDays(1);

    private final Database database;
    private final SourceTable source;
    private final long rememberedMillis;
    private final Duration viewsKept;
    private final Optional<Connection> host;
    private final CellTable cells;
    private final MemberTable members;
    private final OperationTable operations;
    private final TicketTable tickets;
    private final NewestTable newest;
    private final IdleTable idle;
    private final Duration idleKept;
    private final CellWrites cellWrites;
    private final MemberWrites memberWrites;
    private final WriteBehindTable writeBehind;
    private final ViewCleanup views;
    private final ViewCleanup expiredViews;
    private final CleanupRest viewsRest;
    private final ZeroCleanup zeros;
    private final CleanupRest zerosRest;
    private final CounterReader reader;
    private final ReactionRecount recount;

    /**
     * Creates counters in the tables {@code counter_...}.
     *
     * @param operationsKept how long operations and open tickets are remembered
     * @param viewsKept how long views are kept
     * @param idleKept how long the marks of announcements and dots of an idle user are kept
     */
    public CounterTransactions(Database database, Duration operationsKept, Duration viewsKept, Duration idleKept) {
        this.database = database;
        this.viewsKept = viewsKept;
        source = new SourceTable(database);
        // The limit is far beyond any clock, and its sum with a time does not overflow.
        rememberedMillis = Math.min(operationsKept.toMillis(), Long.MAX_VALUE / 2);
        host = Optional.empty();
        cells = new CellTable(database);
        members = new MemberTable(database);
        operations = new OperationTable(database);
        tickets = new TicketTable(database);
        newest = new NewestTable(database);
        idle = new IdleTable(database, cells);
        this.idleKept = idleKept;
        cellWrites = new CellWrites(database, cells, operations, rememberedMillis);
        writeBehind = new WriteBehindTable(database, cells);
        memberWrites = new MemberWrites(cells, members, writeBehind);
        views = new ViewCleanup(database, cells);
        expiredViews = new ViewCleanup(database, cells, new Random());
        viewsRest = new CleanupRest(viewsKept.dividedBy(RESTS));
        zeros = new ZeroCleanup(database, new Random());
        zerosRest = new CleanupRest(ZEROS_REST);
        reader = new CounterReader(database, newest);
        recount = new ReactionRecount(database);
    }

    private CounterTransactions(CounterTransactions other, Connection host) {
        this.database = other.database;
        this.source = other.source;
        this.rememberedMillis = other.rememberedMillis;
        this.viewsKept = other.viewsKept;
        this.host = Optional.of(host);
        this.cells = other.cells;
        this.members = other.members;
        this.operations = other.operations;
        this.tickets = other.tickets;
        this.newest = other.newest;
        this.idle = other.idle;
        this.idleKept = other.idleKept;
        this.cellWrites = other.cellWrites;
        this.memberWrites = other.memberWrites;
        this.writeBehind = other.writeBehind;
        this.views = other.views;
        this.expiredViews = other.expiredViews;
        this.viewsRest = other.viewsRest;
        this.zeros = other.zeros;
        this.zerosRest = other.zerosRest;
        this.reader = other.reader;
        this.recount = other.recount;
    }

    /**
     * Returns the same counters in a transaction of the host's. Only the host commits it or rolls it back, and only the
     * transaction's thread may use the counters.
     *
     * @throws IllegalArgumentException if no transaction can be open on the connection
     */
    public CounterTransactions in(Connection transaction) {
        return new CounterTransactions(this, HostConnections.require("counters.joining", transaction, database));
    }

    private <T> T transaction(String operation, Function<Handle, T> work) {
        return host.isPresent() ? database.joined(operation, host.get(), work) : database.transaction(operation, work);
    }

    private <T> List<T> transaction(String operation, Collection<?> request, Function<Handle, List<T>> work) {
        return request.isEmpty() ? List.of() : transaction(operation, work);
    }

    private void change(String operation, Collection<?> request, Consumer<Handle> work) {
        if (!request.isEmpty()) {
            transaction(operation, handle -> {
                work.accept(handle);
                return true;
            });
        }
    }

    @Override
    public String identity() {
        return source.identity();
    }

    @Override
    public Optional<Duration> viewsKept() {
        return Optional.of(viewsKept);
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return transaction("counters.add", adds, handle -> cellWrites.add(handle, adds));
    }

    @Override
    public void retract(List<Retraction> retractions) {
        change("counters.retract", retractions, handle -> cellWrites.retract(handle, retractions));
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return transaction("counters.raise", raises, handle -> {
            List<Raised> raised = cellWrites.raise(handle, raises);
            List<Owner> marked = new ArrayList<>();
            for (int i = 0; i < raises.size(); i++) {
                if (raised.get(i).after().isPresent()) {
                    marked.add(raises.get(i).key().owner());
                }
            }
            idle.touch(handle, marked);
            return raised;
        });
    }

    @Override
    public void renew(Collection<Owner> owners) {
        change("counters.renew", owners, handle -> idle.touch(handle, owners));
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        change("counters.removeCells", keys, handle -> {
            cells.remove(handle, keys);
            operations.retractCells(handle, keys);
            newest.remove(handle, keys);
        });
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return transaction("counters.put", puts, handle -> memberWrites.put(handle, puts));
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return transaction("counters.turn", turns, handle -> memberWrites.turn(handle, turns));
    }

    @Override
    public void settle(List<Settlement> settlements) {
        change("counters.settle", settlements, handle -> memberWrites.settle(handle, settlements));
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> names) {
        return transaction("counters.removeMembers", names, handle -> memberWrites.remove(handle, owner, names));
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        change("counters.relabel", List.of(member), handle -> memberWrites.relabel(handle, owner, member, label));
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return transaction("counters.openTickets", owners, handle -> tickets.open(handle, owners, rememberedMillis));
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return transaction("counters.redeem", redemptions, handle -> redeem(handle, redemptions));
    }

    private List<Boolean> redeem(Handle handle, List<Redemption> redemptions) {
        List<Boolean> open = tickets.take(handle, redemptions, database.now(handle));
        List<Redemption> taken = new ArrayList<>();
        for (int i = 0; i < redemptions.size(); i++) {
            if (open.get(i) && !redemptions.get(i).counted().isEmpty()) {
                taken.add(redemptions.get(i));
            }
        }
        if (!taken.isEmpty()) {
            count(handle, taken);
        }
        return open;
    }

    /**
     * Makes the changes whose conditions hold. If the rows of conditions exist, they are locked with the counts, and
     * read again under these locks. If a count has no row yet, missing rows of conditions are created. A later call
     * that forgets the post therefore waits for this transaction, at the row of the count or of the condition, and then
     * removes the counts.
     */
    private void count(Handle handle, List<Redemption> redemptions) {
        Set<CellKey> counts = new HashSet<>();
        Set<CellKey> conditions = new HashSet<>();
        redemptions.forEach(each -> {
            each.counted().forEach(counted -> counts.add(new CellKey(each.owner(), counted.name())));
            condition(each).ifPresent(conditions::add);
        });
        Set<CellKey> all = new HashSet<>(counts);
        all.addAll(conditions);
        Set<CellKey> created = new HashSet<>();
        Map<CellKey, Cell> locked = cells.lockRequired(handle, all, found -> {
            Set<CellKey> required = found.keySet().containsAll(counts) ? counts : all;
            created.addAll(required);
            created.removeAll(found.keySet());
            return required;
        });
        Map<CellKey, Cell> present =
                conditions.isEmpty() ? Map.of() : cells.lockRequired(handle, conditions, found -> Set.of());
        List<Add> adds = new ArrayList<>();
        List<NewestTable.Entry> entries = new ArrayList<>();
        for (Redemption each : redemptions) {
            if (holds(each, present)) {
                each.counted().forEach(counted -> {
                    CellKey key = new CellKey(each.owner(), counted.name());
                    adds.add(new Add(key, counted.amount(), Optional.empty()));
                    counted.listing().ifPresent(listing -> entries.add(new NewestTable.Entry(key, counted, listing)));
                });
            }
        }
        cellWrites.add(handle, adds, locked);
        newest.write(handle, entries);
        adds.forEach(add -> created.remove(add.key()));
        cells.removeUnused(handle, created);
    }

    private static boolean holds(Redemption redemption, Map<CellKey, Cell> present) {
        long expected = redemption.condition().map(Condition::count).orElse(0L);
        return condition(redemption)
                .map(key -> present.getOrDefault(key, Cell.NONE).count() == expected)
                .orElse(true);
    }

    private static Optional<CellKey> condition(Redemption redemption) {
        return redemption.condition().map(condition -> new CellKey(redemption.owner(), condition.name()));
    }

    @Override
    public Found read(Wanted wanted) {
        return read(wanted, Held.NOTHING);
    }

    @Override
    public Found read(Wanted wanted, Held held) {
        if (wanted.equals(Wanted.NOTHING)) {
            return new Found(List.of(), List.of(), List.of(), List.of(), List.of());
        }
        Function<Handle, Found> work = handle -> reader.read(handle, wanted, held);
        return host.isPresent()
                ? database.joined("counters.read", host.get(), work)
                : database.read("counters.read", work);
    }

    @Override
    public Map<CellKey, Written> open(Collection<CellKey> keys) {
        return keys.isEmpty()
                ? Map.of()
                : transaction("counters.open", handle -> writeBehind.open(handle, keys, host.isPresent()));
    }

    @Override
    public Done write(Map<CellKey, Late> changes, Map<Owner, LateSet> changed) {
        if (changes.isEmpty() && changed.isEmpty()) {
            return new Done(Set.of(), Set.of());
        }
        return transaction("counters.write", handle -> {
            Done done = new Done(writeBehind.write(handle, changes), memberWrites.writeNewer(handle, changed));
            idle.touch(handle, done.cells().stream().map(CellKey::owner).toList());
            return done;
        });
    }

    @Override
    public void forget(Collection<Owner> owners) {
        change("counters.forget", owners, handle -> {
            cells.removeOwners(handle, owners);
            members.removeOwners(handle, owners);
            operations.retractOwners(handle, owners);
            newest.removeOwners(handle, owners);
            idle.removeOwners(handle, owners);
        });
    }

    /** Removes the marks of idle users, up to a limit of users, the longest idle first. Returns their number. */
    public int purgeIdle(int limit) {
        return transaction(
                "counters.purgeIdle", handle -> idle.purge(handle, database.now(handle) - idleKept.toMillis(), limit));
    }

    /** Removes views older than a duration, up to a limit, and returns their number. */
    public int purgeViews(Duration olderThan, int limit) {
        int removed = 0;
        ViewCleanup.Page page;
        do {
            int most = limit - removed;
            page = transaction(
                    "counters.purgeViews",
                    handle -> views.purge(handle, database.now(handle) - olderThan.toMillis(), most));
            views.continueAfter(page);
            removed += page.removed();
        } while (removed < limit && !page.isLast());
        return removed;
    }

    /** Removes expired views among some rows, up to a limit. The next call continues after those rows. */
    public int purgeSomeViews(int limit) {
        return purgeSome(limit, expiredViews.isAtStart(), viewsRest, most -> {
            ViewCleanup.Page page = transaction(
                    "counters.purgeViews",
                    handle -> expiredViews.purge(handle, database.now(handle) - viewsKept.toMillis(), most));
            expiredViews.continueAfter(page);
            return new Visited(page.removed(), page.isLast());
        });
    }

    /** Removes rows of zeros among some rows, up to a limit. The next call continues after those rows. */
    public int purgeSomeZeros(int limit) {
        return purgeSome(limit, zeros.isAtStart(), zerosRest, most -> {
            ZeroCleanup.Page page = transaction("counters.purgeZeros", handle -> zeros.purge(handle, most));
            zeros.continueAfter(page);
            return new Visited(page.removed(), page.isLast());
        });
    }

    /** Whether a scan may find expired views: the last one was long ago, or found some. */
    public boolean mayHaveExpiredViews() {
        return viewsRest.isOver(now());
    }

    /** Whether a scan may find rows of zeros: the last one was long ago, or found some. */
    public boolean mayHaveZeros() {
        return zerosRest.isOver(now());
    }

    private long now() {
        return database.read("counters.now", database::now);
    }

    /** A page of rows, of which some were removed. */
    private record Visited(int removed, boolean isLast) {}

    /**
     * Visits at most {@link #PAGES} pages. A call that starts in the middle continues at the start after the last page,
     * so that it visits a small table as a whole.
     */
    private int purgeSome(int limit, boolean atStart, CleanupRest rest, IntFunction<Visited> next) {
        int removed = 0;
        int ends = atStart ? 1 : 2;
        for (int seen = 0; removed < limit && seen < PAGES && ends > 0; seen++) {
            Visited page = next.apply(limit - removed);
            removed += page.removed();
            if (page.removed() > 0) {
                rest.found();
            }
            if (page.isLast()) {
                rest.ended(now());
                ends--;
            }
        }
        return removed;
    }

    /** Recounts the reactions, and returns wrong counts up to a limit. */
    public List<ReactionRecount.Mismatch> wrongReactionCounts(int limit) {
        return database.read("counters.reconcile", handle -> recount.find(handle, limit));
    }

    /** Recounts the reactions, repairs wrong counts up to a limit, and returns them. */
    public List<ReactionRecount.Mismatch> recountReactions(int limit) {
        List<ReactionRecount.Mismatch> found = wrongReactionCounts(limit);
        add(found.stream()
                .map(each -> new Add(each.key(), each.expected() - each.counted(), Optional.empty()))
                .toList());
        return found;
    }

    /** Removes expired operations, the oldest first, up to a limit. Returns their number. */
    public int purgeOperations(int limit) {
        return transaction("counters.purgeOperations", handle -> operations.purge(handle, database.now(handle), limit));
    }

    /** Removes expired tickets, the oldest first, up to a limit. Returns their number. */
    public int purgeTickets(int limit) {
        return transaction("counters.purgeTickets", handle -> tickets.purge(handle, database.now(handle), limit));
    }

    @Override
    public String toString() {
        return database.toString();
    }
}
