package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * The counters in SQL. Each call is one transaction: of its own, or the host's. A call that computes locks its cells in
 * the order of their keys, reads, computes and writes. A call that changes a set does so under the lock of the owner's
 * cell {@code ""}.
 */
public final class CounterTransactions implements CounterSource {

    private final Database database;
    private final long rememberedMillis;
    private final Optional<Connection> host;
    private final CellTable cells;
    private final MemberTable members;
    private final OperationTable operations;
    private final TicketTable tickets;
    private final CellWrites cellWrites;
    private final MemberWrites memberWrites;
    private final WriteBehindTable writeBehind;
    private final ViewCleanup views;
    private final CounterReader reader;
    private final ReactionRecount recount;

    /**
     * Counters in the tables {@code counter_...}.
     *
     * @param operationsKept how long operations and open tickets are remembered
     */
    public CounterTransactions(Database database, Duration operationsKept) {
        this.database = database;
        rememberedMillis = operationsKept.toMillis();
        host = Optional.empty();
        cells = new CellTable(database);
        members = new MemberTable(database);
        operations = new OperationTable(database);
        tickets = new TicketTable(database);
        cellWrites = new CellWrites(database, cells, operations, rememberedMillis);
        writeBehind = new WriteBehindTable(database, cells);
        memberWrites = new MemberWrites(cells, members, writeBehind);
        views = new ViewCleanup(database, cells);
        reader = new CounterReader(database);
        recount = new ReactionRecount(database);
    }

    private CounterTransactions(CounterTransactions other, Connection host) {
        this.database = other.database;
        this.rememberedMillis = other.rememberedMillis;
        this.host = Optional.of(host);
        this.cells = other.cells;
        this.members = other.members;
        this.operations = other.operations;
        this.tickets = other.tickets;
        this.cellWrites = other.cellWrites;
        this.memberWrites = other.memberWrites;
        this.writeBehind = other.writeBehind;
        this.views = other.views;
        this.reader = other.reader;
        this.recount = other.recount;
    }

    /** The same counters, in a transaction of the host's, which alone ends it. For the transaction's thread. */
    public CounterTransactions in(Connection transaction) {
        return new CounterTransactions(this, transaction);
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
    public List<Added> add(List<Add> adds) {
        return transaction("counters.add", adds, handle -> cellWrites.add(handle, adds));
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return transaction("counters.raise", raises, handle -> cellWrites.raise(handle, raises));
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        change("counters.removeCells", keys, handle -> cells.remove(handle, keys));
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
        return transaction("counters.openTickets", owners, handle -> tickets.open(handle, owners));
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return transaction("counters.redeem", redemptions, handle -> redeem(handle, redemptions));
    }

    private List<Boolean> redeem(Handle handle, List<Redemption> redemptions) {
        List<Boolean> open = tickets.take(handle, redemptions, database.now(handle) - rememberedMillis);
        List<Add> adds = new ArrayList<>();
        for (int i = 0; i < redemptions.size(); i++) {
            Redemption each = redemptions.get(i);
            if (open.get(i) && each.amount() != 0) {
                adds.add(new Add(each.key(), each.amount(), Optional.empty()));
            }
        }
        if (!adds.isEmpty()) {
            cellWrites.add(handle, adds);
        }
        return open;
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
        return keys.isEmpty() ? Map.of() : transaction("counters.open", handle -> writeBehind.open(handle, keys));
    }

    @Override
    public Done write(Map<CellKey, Late> changes, Map<Owner, LateSet> changed) {
        if (changes.isEmpty() && changed.isEmpty()) {
            return new Done(Set.of(), Set.of());
        }
        return transaction(
                "counters.write",
                handle -> new Done(writeBehind.write(handle, changes), memberWrites.writeNewer(handle, changed)));
    }

    @Override
    public void forget(Collection<Owner> owners) {
        change("counters.forget", owners, handle -> {
            cells.removeOwners(handle, owners);
            members.removeOwners(handle, owners);
        });
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

    /** Counts the reactions again, repairs up to a number of wrong counts, and returns these. */
    public List<ReactionRecount.Mismatch> recountReactions(int limit) {
        List<ReactionRecount.Mismatch> found =
                database.read("counters.reconcile", handle -> recount.find(handle, limit));
        add(found.stream()
                .map(each -> new Add(each.key(), each.expected() - each.counted(), Optional.empty()))
                .toList());
        return found;
    }

    /**
     * Removes operations and tickets that are older than they are remembered, the oldest first, up to a limit for each.
     * Returns the number of both.
     */
    public int purge(int limit) {
        return transaction("counters.purge", handle -> {
            long until = database.now(handle) - rememberedMillis;
            return operations.purge(handle, until, limit) + tickets.purge(handle, until, limit);
        });
    }
}
