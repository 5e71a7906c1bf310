package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.CounterSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The numbers in SQL. A step that computes locks the cells it is about in the order of their keys, reads, computes, and writes back, in one transaction. What it does to a set it does
 * under the lock of the owner's cell {@code ""}.
 */
public final class Numbers implements CounterSource {

    private static final String NUMBERS = "";

    private final Database database;
    private final long rememberedMillis;
    private final Optional<Connection> host;
    private final CellTable cells;
    private final MemberTable members;
    private final OperationTable operations;
    private final TicketTable tickets;
    private final WriteBehindTable late;
    private final ViewCleanup oldViews;
    private final CounterReader questions;
    private final ReactionRecount recount;
    private final List<String> forgetSql;

    /**
     * Numbers in the tables {@code counter_...}.
     *
     * @param operationsKept how long operations and open tickets are remembered
     */
    public Numbers(Database database, Duration operationsKept) {
        this.database = database;
        this.rememberedMillis = operationsKept.toMillis();
        this.host = Optional.empty();
        cells = new CellTable(database);
        members = new MemberTable(database);
        operations = new OperationTable(database);
        tickets = new TicketTable(database);
        late = new WriteBehindTable(database, cells);
        oldViews = new ViewCleanup(database, cells);
        ParameterTable owners = ParameterTable.named("k").text("wanted_space").text("wanted_owner");
        Joins joins = new Joins(database.dialect());
        questions = new CounterReader(database);
        recount = new ReactionRecount(database);
        forgetSql = Stream.of("counter_cell", "counter_member")
                .map(table -> database.sql(joins.delete(
                        owners, "${" + table + "}", "t", "t.space = k.wanted_space AND t.owner = k.wanted_owner")))
                .toList();
    }

    private Numbers(Numbers other, Connection host) {
        this.database = other.database;
        this.rememberedMillis = other.rememberedMillis;
        this.cells = other.cells;
        this.members = other.members;
        this.operations = other.operations;
        this.tickets = other.tickets;
        this.late = other.late;
        this.oldViews = other.oldViews;
        this.questions = other.questions;
        this.recount = other.recount;
        this.forgetSql = other.forgetSql;
        this.host = Optional.of(host);
    }

    /** The same numbers, but what is done to them is done in a transaction of the host's, which alone ends it. For the transaction's thread. */
    public Numbers in(Connection transaction) {
        return new Numbers(this, transaction);
    }

    private <T> T transaction(String operation, Function<Handle, T> work) {
        return host.isPresent() ? database.joined(operation, host.get(), work) : database.transaction(operation, work);
    }

    @Override
    public List<Added> add(List<Add> adds) {
        if (adds.isEmpty()) {
            return List.of();
        }
        return transaction("counters.add", handle -> add(handle, adds));
    }

    private List<Added> add(Handle handle, List<Add> adds) {
        Set<CellKey> keys = new LinkedHashSet<>();
        for (Add add : adds) {
            keys.add(add.key());
            RequiredCells.mark(add).ifPresent(keys::add);
        }
        Map<CellKey, Cell> locked = adds.stream().noneMatch(add -> add.marked().isPresent())
                ? cells.lock(handle, keys)
                : cells.lockNeeded(handle, keys, there -> RequiredCells.toAdd(adds, there));
        Set<OperationTable.Key> named = new HashSet<>();
        adds.forEach(add -> add.operation().ifPresent(id -> named.add(new OperationTable.Key(add.key(), id))));
        long now = named.isEmpty() ? 0 : database.now(handle);
        Map<OperationTable.Key, Long> known = named.isEmpty() ? Map.of() : operations.read(handle, named);
        Set<OperationTable.Key> done = new HashSet<>();
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Added> answers = new ArrayList<>(adds.size());
        for (Add add : adds) {
            Cell cell = changed.getOrDefault(add.key(), locked.getOrDefault(add.key(), Cell.NONE));
            Optional<Cell> mark =
                    RequiredCells.mark(add).map(key -> changed.getOrDefault(key, locked.getOrDefault(key, Cell.NONE)));
            Optional<OperationTable.Key> operation = add.operation().map(id -> new OperationTable.Key(add.key(), id));
            long sum = cell.count() + add.amount();
            if (operation.isPresent()
                    && (done.contains(operation.get()) || isRemembered(known.get(operation.get()), now))) {
                answers.add(new Added(Outcome.REPEATED, cell.count()));
            } else if (mark.isPresent() && mark.get().mark().isEmpty()) {
                answers.add(new Added(Outcome.UNMARKED, cell.count()));
            } else if (((cell.count() ^ sum) & (add.amount() ^ sum)) < 0) {
                answers.add(new Added(Outcome.OVERFLOW, cell.count()));
            } else {
                operation.ifPresent(done::add);
                changed.put(add.key(), new Cell(sum, cell.mark()));
                // It may be the mark of this very cell.
                RequiredCells.mark(add)
                        .ifPresent(key -> changed.put(
                                key, marked(changed.getOrDefault(key, locked.getOrDefault(key, Cell.NONE)), sum)));
                answers.add(new Added(Outcome.ADDED, sum));
            }
        }
        write(handle, changed);
        operations.write(handle, done, known.keySet(), now);
        return answers;
    }

    private static Cell marked(Cell cell, long at) {
        return new Cell(cell.count(), OptionalLong.of(Math.max(cell.mark().orElse(0), at)));
    }

    private boolean isRemembered(@Nullable Long doneAt, long now) {
        return doneAt != null && now - doneAt < rememberedMillis;
    }

    private void write(Handle handle, Map<CellKey, Cell> changed) {
        if (!changed.isEmpty()) {
            cells.write(handle, changed);
        }
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        if (raises.isEmpty()) {
            return List.of();
        }
        return transaction("counters.raise", handle -> raise(handle, raises));
    }

    private List<Raised> raise(Handle handle, List<Raise> raises) {
        Set<CellKey> keys = new LinkedHashSet<>();
        raises.forEach(raise -> RequiredCells.addKeys(keys, raise));
        Map<CellKey, Cell> now = new HashMap<>(
                raises.stream().noneMatch(raise -> raise.when() == When.PRESENT)
                        ? cells.lock(handle, keys)
                        : cells.lockNeeded(handle, keys, there -> RequiredCells.toRaise(raises, there)));
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Raised> answers = new ArrayList<>(raises.size());
        for (Raise raise : raises) {
            Cell cell = now.getOrDefault(raise.key(), Cell.NONE);
            long count = raise.sequence()
                    .map(name -> now.getOrDefault(new CellKey(raise.key().owner(), name), Cell.NONE)
                            .count())
                    .orElse(0L);
            OptionalLong after = raise.onto(cell.mark(), count);
            answers.add(new Raised(cell.mark(), after));
            if (!after.equals(cell.mark())) {
                Cell raised = new Cell(cell.count(), after);
                now.put(raise.key(), raised);
                changed.put(raise.key(), raised);
            }
        }
        write(handle, changed);
        return answers;
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        if (!keys.isEmpty()) {
            transaction("counters.removeCells", handle -> {
                cells.remove(handle, keys);
                return true;
            });
        }
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        if (puts.isEmpty()) {
            return List.of();
        }
        return transaction("counters.put", handle -> put(handle, puts));
    }

    private List<OptionalLong> put(Handle handle, List<Put> puts) {
        Map<CellKey, Cell> locked =
                lockSets(handle, puts.stream().map(Put::owner).toList());
        Map<MemberTable.Key, Member> before = members.readInStep(
                handle,
                puts.stream()
                        .map(put -> new MemberTable.Key(put.owner(), put.member()))
                        .toList());
        Map<MemberTable.Key, Member> changed = new HashMap<>();
        Map<CellKey, Cell> counted = new HashMap<>();
        List<OptionalLong> answers = new ArrayList<>(puts.size());
        for (Put put : puts) {
            MemberTable.Key key = new MemberTable.Key(put.owner(), put.member());
            Optional<Member> there =
                    Optional.ofNullable(changed.get(key)).or(() -> Optional.ofNullable(before.get(key)));
            if (there.isPresent() && !put.takesPlaceOf(there.get())) {
                answers.add(OptionalLong.empty());
                continue;
            }
            CellKey sequence = set(put.owner());
            Cell cell = counted.getOrDefault(sequence, locked.getOrDefault(sequence, Cell.NONE));
            long number = put.number().orElse(cell.count() + 1);
            if (put.number().isEmpty()) {
                counted.put(sequence, new Cell(number, cell.mark()));
            }
            changed.put(key, new Member(put.member(), put.label(), number, true));
            answers.add(OptionalLong.of(number));
        }
        write(handle, counted);
        members.write(handle, changed, before.keySet());
        return answers;
    }

    private static CellKey set(Owner owner) {
        return new CellKey(owner, NUMBERS);
    }

    private Map<CellKey, Cell> lockSets(Handle handle, List<Owner> owners) {
        return cells.lock(handle, owners.stream().map(Numbers::set).toList());
    }

    /** Locks sets for what is done to members that are there. Answers those that are, and makes nothing where there are none. */
    private Map<MemberTable.Key, Member> lockThere(Handle handle, List<MemberTable.Key> keys) {
        Set<CellKey> locked = cells.lockNeeded(
                        handle,
                        keys.stream().map(key -> set(key.owner())).toList(),
                        there -> needed(handle, keys, there))
                .keySet();
        List<MemberTable.Key> some =
                keys.stream().filter(key -> locked.contains(set(key.owner()))).toList();
        return some.isEmpty() ? Map.of() : members.readInStep(handle, some);
    }

    private Set<CellKey> needed(Handle handle, List<MemberTable.Key> keys, Map<CellKey, Cell> there) {
        Set<CellKey> needed = new HashSet<>(there.keySet());
        List<MemberTable.Key> others = keys.stream()
                .filter(key -> !there.containsKey(set(key.owner())))
                .toList();
        if (!others.isEmpty()) {
            members.readInStep(handle, others).keySet().forEach(key -> needed.add(set(key.owner())));
        }
        return needed;
    }

    /** Removes members, and the cell that locked the owner's set if it has no members left. A set of views keeps it, since a cache may have members for it. */
    private void remove(Handle handle, Set<MemberTable.Key> removed) {
        if (removed.isEmpty()) {
            return;
        }
        members.remove(handle, removed);
        List<CellKey> sets = removed.stream()
                .map(key -> set(key.owner()))
                .filter(set -> set.owner().space() != Space.VIEWS)
                .toList();
        if (!sets.isEmpty()) {
            cells.removeUnused(handle, sets);
        }
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        if (owners.isEmpty()) {
            return List.of();
        }
        return transaction("counters.openTickets", handle -> tickets.open(handle, owners));
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        if (redemptions.isEmpty()) {
            return List.of();
        }
        return transaction("counters.redeem", handle -> redeem(handle, redemptions));
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
            add(handle, adds);
        }
        return open;
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        if (turns.isEmpty()) {
            return List.of();
        }
        return transaction("counters.turn", handle -> turn(handle, turns));
    }

    private List<Optional<Member>> turn(Handle handle, List<Turn> turns) {
        lockSets(handle, turns.stream().map(Turn::owner).toList());
        Map<MemberTable.Key, Member> before = members.readInStep(
                handle,
                turns.stream()
                        .map(turn -> new MemberTable.Key(turn.owner(), turn.member()))
                        .toList());
        Map<MemberTable.Key, Member> changed = new HashMap<>();
        List<Optional<Member>> answers = new ArrayList<>(turns.size());
        for (Turn turn : turns) {
            MemberTable.Key key = new MemberTable.Key(turn.owner(), turn.member());
            Optional<Member> there =
                    Optional.ofNullable(changed.get(key)).or(() -> Optional.ofNullable(before.get(key)));
            boolean settled = there.map(Member::settled).orElse(true);
            if (settled && there.map(Member::label).equals(turn.from())) {
                Member turned = new Member(turn.member(), turn.to(), turn.ticket(), false);
                changed.put(key, turned);
                answers.add(Optional.of(turned));
            } else {
                answers.add(there);
            }
        }
        members.write(handle, changed, before.keySet());
        return answers;
    }

    @Override
    public void settle(List<Settlement> turns) {
        if (turns.isEmpty()) {
            return;
        }
        transaction("counters.settle", handle -> {
            Map<MemberTable.Key, Member> there =
                    lockThere(handle, turns.stream().map(Numbers::key).toList());
            Map<MemberTable.Key, Member> changed = new HashMap<>();
            Set<MemberTable.Key> removed = new HashSet<>();
            for (Settlement turn : turns) {
                MemberTable.Key key = key(turn);
                Member member = there.get(key);
                if (member == null || member.number() != turn.member().number()) {
                    continue;
                }
                if (turn.removed()) {
                    removed.add(key);
                } else {
                    changed.put(key, new Member(member.name(), member.label(), member.number(), true));
                }
            }
            changed.keySet().removeAll(removed);
            members.write(handle, changed, there.keySet());
            remove(handle, removed);
            return true;
        });
    }

    private static MemberTable.Key key(Settlement turn) {
        return new MemberTable.Key(turn.owner(), turn.member().name());
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        return transaction("counters.removeMembers", handle -> {
            List<MemberTable.Key> keys =
                    names.stream().map(name -> new MemberTable.Key(owner, name)).toList();
            Set<MemberTable.Key> there = new HashSet<>(lockThere(handle, keys).keySet());
            remove(handle, there);
            return keys.stream().map(there::remove).toList();
        });
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        transaction("counters.relabel", handle -> {
            MemberTable.Key key = new MemberTable.Key(owner, member);
            Member there = lockThere(handle, List.of(key)).get(key);
            if (there != null) {
                Member relabelled = new Member(member, label, there.number(), there.settled());
                members.write(handle, Map.of(key, relabelled), Set.of(key));
            }
            return true;
        });
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
        Function<Handle, Found> work = handle -> questions.ask(handle, wanted, held);
        return host.isPresent()
                ? database.joined("counters.read", host.get(), work)
                : database.read("counters.read", work);
    }

    @Override
    public Map<CellKey, Written> open(Collection<CellKey> keys) {
        return keys.isEmpty() ? Map.of() : transaction("counters.open", handle -> late.open(handle, keys));
    }

    @Override
    public Done write(Map<CellKey, Late> changes, Map<Owner, LateSet> changed) {
        if (changes.isEmpty() && changed.isEmpty()) {
            return new Done(Set.of(), Set.of());
        }
        return transaction(
                "counters.write", handle -> new Done(late.write(handle, changes), writeNewer(handle, changed)));
    }

    /** Writes members of sets whose owners are those that were opened, unless there are higher numbers. Answers which are. */
    private Set<Owner> writeNewer(Handle handle, Map<Owner, LateSet> changed) {
        Map<CellKey, WriteBehindTable.Row> locked =
                late.locked(handle, changed.keySet().stream().map(Numbers::set).toList());
        Map<MemberTable.Key, Member> newer = new HashMap<>();
        Set<Owner> written = new HashSet<>();
        changed.forEach((owner, set) -> {
            WriteBehindTable.Row row = locked.get(set(owner));
            if (row != null && row.written().equals(set.written())) {
                written.add(owner);
                set.members().forEach(member -> newer.put(new MemberTable.Key(owner, member.name()), member));
            }
        });
        Map<MemberTable.Key, Member> there = members.readInStep(handle, newer.keySet());
        there.forEach((key, member) ->
                newer.computeIfPresent(key, (same, held) -> held.number() > member.number() ? held : null));
        members.write(handle, newer, there.keySet());
        return written;
    }

    /** Removes views that are older, at most so many. Answers how many. */
    public int purgeViews(Duration olderThan, int limit) {
        int removed = 0;
        ViewCleanup.Page page;
        do {
            int most = limit - removed;
            page = transaction(
                    "counters.purgeViews",
                    handle -> oldViews.purge(handle, database.now(handle) - olderThan.toMillis(), most));
            oldViews.goOnAfter(page);
            removed += page.removed();
        } while (removed < limit && !page.isLast());
        return removed;
    }

    @Override
    public void forget(Collection<Owner> owners) {
        if (owners.isEmpty()) {
            return;
        }
        ParameterTable.Rows rows = CellTable.filledOwners(owners);
        transaction("counters.forget", handle -> {
            forgetSql.forEach(sql -> database.execute(handle, sql, rows));
            return true;
        });
    }

    /** Counts reactions again, and adds to counts what they lack. Answers the counts that were wrong, so many at most. */
    public List<ReactionRecount.Mismatch> recountReactions(int most) {
        List<ReactionRecount.Mismatch> found =
                database.read("counters.reconcile", handle -> recount.find(handle, most));
        add(found.stream()
                .map(each -> new Add(each.key(), each.expected() - each.counted(), Optional.empty()))
                .toList());
        return found;
    }

    /** Removes what is remembered of operations and tickets for longer than a day, the oldest first; at most so many of each. Answers how many. */
    public int purge(int limit) {
        return transaction("counters.purge", handle -> {
            long until = database.now(handle) - rememberedMillis;
            return operations.purge(handle, until, limit) + tickets.purge(handle, until, limit);
        });
    }
}
