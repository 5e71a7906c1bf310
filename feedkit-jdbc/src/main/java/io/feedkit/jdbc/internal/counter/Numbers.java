package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.Rows;
import io.feedkit.jdbc.internal.sql.Rows.Filled;
import io.feedkit.spi.CounterStore;
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
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The numbers in SQL. A step that computes locks the cells it is about in the order of their keys, reads, computes, and writes back, in one transaction. What it does to a set it does
 * under the lock of the owner's cell {@code ""}.
 */
public final class Numbers implements CounterStore {

    private static final long REMEMBERED_MILLIS = Duration.ofHours(24).toMillis();
    private static final String NUMBERS = "";

    private static final Rows MARKS =
            Rows.named("k").text("wanted_space").text("wanted_owner").text("wanted");

    private final Database database;
    private final CellRows cells;
    private final MemberRows members;
    private final OperationRows operations;
    private final Tickets tickets;
    private final List<String> forgetSql;
    private final String standingsSql;

    /** Numbers in the tables {@code counter_...}. */
    public Numbers(Database database) {
        this.database = database;
        cells = new CellRows(database);
        members = new MemberRows(database);
        operations = new OperationRows(database);
        tickets = new Tickets(database);
        Rows owners = Rows.named("k").text("wanted_space").text("wanted_owner");
        Joins joins = new Joins(database.dialect());
        forgetSql = Stream.of("counter_cell", "counter_member", "counter_operation", "counter_ticket")
                .map(table -> database.sql(joins.delete(
                        owners, "${" + table + "}", "t", "t.space = k.wanted_space AND t.owner = k.wanted_owner")))
                .toList();
        String ofOwner = "%1$s.space = k.wanted_space AND %1$s.owner = k.wanted_owner";
        standingsSql = database.sql("SELECT k.i, s.total, c.mark, (SELECT COUNT(*) FROM ${counter_member} m WHERE "
                + ofOwner.formatted("m") + " AND m.number > c.mark) FROM " + MARKS.walked(database.dialect())
                + " LEFT JOIN ${counter_cell} c ON " + ofOwner.formatted("c") + " AND c.name = k.wanted"
                + " LEFT JOIN ${counter_cell} s ON " + ofOwner.formatted("s") + " AND s.name = ''");
    }

    @Override
    public List<Added> add(List<Add> adds) {
        if (adds.isEmpty()) {
            return List.of();
        }
        return database.transaction("counters.add", handle -> add(handle, adds));
    }

    private List<Added> add(Handle handle, List<Add> adds) {
        Map<CellKey, Cell> locked =
                cells.lock(handle, adds.stream().map(Add::key).toList());
        Set<OperationRows.Key> named = new HashSet<>();
        adds.forEach(add -> add.operation().ifPresent(id -> named.add(new OperationRows.Key(add.key(), id))));
        long now = named.isEmpty() ? 0 : database.now(handle);
        Map<OperationRows.Key, Long> known = named.isEmpty() ? Map.of() : operations.read(handle, named);
        Set<OperationRows.Key> done = new HashSet<>();
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Added> answers = new ArrayList<>(adds.size());
        for (Add add : adds) {
            Cell cell = changed.getOrDefault(add.key(), locked.getOrDefault(add.key(), Cell.NONE));
            Optional<OperationRows.Key> operation = add.operation().map(id -> new OperationRows.Key(add.key(), id));
            long sum = cell.count() + add.amount();
            if (operation.isPresent()
                    && (done.contains(operation.get()) || isRemembered(known.get(operation.get()), now))) {
                answers.add(new Added(Outcome.REPEATED, cell.count()));
            } else if (((cell.count() ^ sum) & (add.amount() ^ sum)) < 0) {
                answers.add(new Added(Outcome.OVERFLOW, cell.count()));
            } else {
                operation.ifPresent(done::add);
                changed.put(add.key(), new Cell(sum, cell.mark()));
                answers.add(new Added(Outcome.ADDED, sum));
            }
        }
        write(handle, changed);
        operations.write(handle, done, known.keySet(), now);
        return answers;
    }

    private static boolean isRemembered(@Nullable Long doneAt, long now) {
        return doneAt != null && now - doneAt < REMEMBERED_MILLIS;
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
        return database.transaction("counters.raise", handle -> raise(handle, raises));
    }

    private List<Raised> raise(Handle handle, List<Raise> raises) {
        Set<CellKey> keys = new LinkedHashSet<>();
        for (Raise raise : raises) {
            keys.add(raise.key());
            raise.sequence().ifPresent(name -> keys.add(new CellKey(raise.key().owner(), name)));
        }
        Map<CellKey, Cell> now = new HashMap<>(cells.lock(handle, keys));
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Raised> answers = new ArrayList<>(raises.size());
        for (Raise raise : raises) {
            Cell cell = now.getOrDefault(raise.key(), Cell.NONE);
            if (raise.when() == (cell.mark().isPresent() ? When.ABSENT : When.PRESENT)) {
                answers.add(new Raised(cell.mark(), cell.mark()));
                continue;
            }
            long bound = raise.sequence()
                    .map(name -> now.getOrDefault(new CellKey(raise.key().owner(), name), Cell.NONE)
                            .count())
                    .orElse(Long.MAX_VALUE);
            long before = cell.mark().orElse(0);
            long aim = Math.max(before, raise.to());
            long after = Math.max(before, aim > bound - raise.by() ? bound : aim + raise.by());
            Cell raised = new Cell(cell.count(), OptionalLong.of(after));
            now.put(raise.key(), raised);
            changed.put(raise.key(), raised);
            answers.add(new Raised(cell.mark(), OptionalLong.of(after)));
        }
        write(handle, changed);
        return answers;
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        if (!keys.isEmpty()) {
            database.statement("counters.removeCells", handle -> {
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
        return database.transaction("counters.put", handle -> put(handle, puts));
    }

    private List<OptionalLong> put(Handle handle, List<Put> puts) {
        Map<CellKey, Cell> locked =
                lockSets(handle, puts.stream().map(Put::owner).toList());
        Map<MemberRows.Key, Member> before = members.read(
                handle,
                puts.stream()
                        .map(put -> new MemberRows.Key(put.owner(), put.member()))
                        .toList());
        Map<MemberRows.Key, Member> changed = new HashMap<>();
        Map<CellKey, Cell> counted = new HashMap<>();
        List<OptionalLong> answers = new ArrayList<>(puts.size());
        for (Put put : puts) {
            MemberRows.Key key = new MemberRows.Key(put.owner(), put.member());
            Optional<Member> there =
                    Optional.ofNullable(changed.get(key)).or(() -> Optional.ofNullable(before.get(key)));
            if (there.isPresent() && stays(there.get(), put)) {
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

    private static boolean stays(Member there, Put put) {
        OptionalLong upTo = put.replaced().upTo();
        return upTo.isEmpty() || (there.label().equals(put.label()) && there.number() > upTo.getAsLong());
    }

    private static CellKey set(Owner owner) {
        return new CellKey(owner, NUMBERS);
    }

    private Map<CellKey, Cell> lockSets(Handle handle, List<Owner> owners) {
        return cells.lock(handle, owners.stream().map(Numbers::set).toList());
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        if (owners.isEmpty()) {
            return List.of();
        }
        return database.transaction("counters.openTickets", handle -> tickets.open(handle, owners));
    }

    @Override
    public boolean redeem(CellKey key, long ticket, long amount) {
        return database.transaction("counters.redeem", handle -> {
            boolean open = tickets.take(handle, key.owner(), ticket);
            if (open && amount != 0) {
                add(handle, List.of(new Add(key, amount, Optional.empty())));
            }
            return open;
        });
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        if (turns.isEmpty()) {
            return List.of();
        }
        return database.transaction("counters.turn", handle -> turn(handle, turns));
    }

    private List<Optional<Member>> turn(Handle handle, List<Turn> turns) {
        lockSets(handle, turns.stream().map(Turn::owner).toList());
        Map<MemberRows.Key, Member> before = members.read(
                handle,
                turns.stream()
                        .map(turn -> new MemberRows.Key(turn.owner(), turn.member()))
                        .toList());
        Map<MemberRows.Key, Member> changed = new HashMap<>();
        List<Optional<Member>> answers = new ArrayList<>(turns.size());
        for (Turn turn : turns) {
            MemberRows.Key key = new MemberRows.Key(turn.owner(), turn.member());
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
    public void settle(Owner owner, Member member, boolean removed) {
        database.transaction("counters.settle", handle -> {
            lockSets(handle, List.of(owner));
            MemberRows.Key key = new MemberRows.Key(owner, member.name());
            Member there = members.read(handle, List.of(key)).get(key);
            if (there == null || there.number() != member.number()) {
                return false;
            }
            if (removed) {
                members.remove(handle, List.of(key));
            } else {
                Member settled = new Member(there.name(), there.label(), there.number(), true);
                members.write(handle, Map.of(key, settled), Set.of(key));
            }
            return true;
        });
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        return database.transaction("counters.removeMembers", handle -> {
            lockSets(handle, List.of(owner));
            List<MemberRows.Key> keys =
                    names.stream().map(name -> new MemberRows.Key(owner, name)).toList();
            Set<MemberRows.Key> there = new HashSet<>(members.read(handle, keys).keySet());
            members.remove(handle, there);
            return keys.stream().map(there::remove).toList();
        });
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        database.transaction("counters.relabel", handle -> {
            lockSets(handle, List.of(owner));
            MemberRows.Key key = new MemberRows.Key(owner, member);
            Member there = members.read(handle, List.of(key)).get(key);
            if (there != null) {
                Member relabelled = new Member(member, label, there.number(), there.settled());
                members.write(handle, Map.of(key, relabelled), Set.of(key));
            }
            return true;
        });
    }

    @Override
    public List<Map<String, Cell>> cells(List<Owner> owners) {
        if (owners.isEmpty()) {
            return List.of();
        }
        Map<Owner, Map<String, Cell>> found = new HashMap<>();
        database.read("counters.cells", handle -> cells.ofOwners(handle, owners))
                .forEach((key, cell) -> found.computeIfAbsent(key.owner(), owner -> new HashMap<>())
                        .put(key.name(), cell));
        return owners.stream()
                .map(owner -> Map.copyOf(found.getOrDefault(owner, Map.of())))
                .toList();
    }

    @Override
    public List<Cell> cellsOf(List<CellKey> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Map<CellKey, Cell> found = database.read("counters.cellsOf", handle -> cells.read(handle, keys));
        return keys.stream().map(key -> found.getOrDefault(key, Cell.NONE)).toList();
    }

    @Override
    public List<Standing> standings(List<CellKey> marks) {
        if (marks.isEmpty()) {
            return List.of();
        }
        Filled rows = MARKS.fill();
        marks.forEach(key -> rows.add(key.owner().space().name(), key.owner().id(), key.name()));
        Map<Integer, Standing> found = new HashMap<>();
        database.read("counters.standings", handle -> {
            rows.bindTo(database.query(handle, standingsSql), database.dialect())
                    .map((row, context) -> {
                        int at = row.getInt(1) - 1;
                        long count = row.getLong(2);
                        long mark = row.getLong(3);
                        OptionalLong present = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(mark);
                        return Map.entry(at, new Standing(new Cell(count, present), row.getLong(4)));
                    })
                    .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
            return found;
        });
        Standing nothing = new Standing(Cell.NONE, 0);
        List<Standing> standings = new ArrayList<>(marks.size());
        for (int i = 0; i < marks.size(); i++) {
            standings.add(found.getOrDefault(i, nothing));
        }
        return standings;
    }

    @Override
    public List<List<Member>> members(List<Owner> owners) {
        if (owners.isEmpty()) {
            return List.of();
        }
        Map<Owner, List<Member>> found = database.read("counters.members", handle -> members.ofOwners(handle, owners));
        return owners.stream()
                .map(owner -> List.copyOf(found.getOrDefault(owner, List.of())))
                .toList();
    }

    @Override
    public Map<String, Member> membersOf(Owner owner, Collection<String> names) {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, Member> found = new HashMap<>();
        List<MemberRows.Key> keys =
                names.stream().map(name -> new MemberRows.Key(owner, name)).toList();
        database.read("counters.membersOf", handle -> members.read(handle, keys))
                .forEach((key, member) -> found.put(key.member(), member));
        return Map.copyOf(found);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        if (owners.isEmpty()) {
            return;
        }
        Filled rows = CellRows.filledOwners(owners);
        database.transaction("counters.forget", handle -> {
            forgetSql.forEach(sql -> rows.bindTo(database.update(handle, sql), database.dialect())
                    .execute());
            return true;
        });
    }

    /** Removes what is remembered of operations and tickets for longer than a day, the oldest first; at most so many of each. Answers how many. */
    public int purge(int limit) {
        return database.transaction("counters.purge", handle -> {
            long until = database.now(handle) - REMEMBERED_MILLIS;
            return operations.purge(handle, until, limit) + tickets.purge(handle, until, limit);
        });
    }
}
