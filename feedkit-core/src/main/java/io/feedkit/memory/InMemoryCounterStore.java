package io.feedkit.memory;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.CounterStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Numbers in this process's memory, and the reference for what {@link CounterStore} means. What was done under an operation's id is remembered for a day.
 */
public final class InMemoryCounterStore implements CounterStore {

    private static final long REMEMBERED_MILLIS = Duration.ofHours(24).toMillis();

    private final Clock clock;
    private final ConcurrentHashMap<Owner, Numbers> owners = new ConcurrentHashMap<>();

    private InMemoryCounterStore(Clock clock) {
        this.clock = clock;
    }

    /**
     * An empty store.
     *
     * @return the store
     */
    public static InMemoryCounterStore create() {
        return create(Clock.systemUTC());
    }

    /**
     * An empty store that goes by a clock of the host's.
     *
     * @param clock tells how long operations are remembered
     * @return the store
     */
    public static InMemoryCounterStore create(Clock clock) {
        return new InMemoryCounterStore(clock);
    }

    /** All that one owner has; used by one thread at a time. */
    private static final class Numbers {
        private final Map<String, Cell> cells = new TreeMap<>();
        private final Map<String, Member> members = new HashMap<>();
        /** When each operation was done, the oldest first. */
        private final Map<Done, Long> operations = new LinkedHashMap<>();

        private record Done(String name, String operation) {}

        /** When each ticket that is open was opened. */
        private final Map<Long, Long> tickets = new LinkedHashMap<>();

        private long lastTicket;

        private Cell cell(String name) {
            return cells.getOrDefault(name, Cell.NONE);
        }

        /** Takes the next number of the sequence without a name. */
        private long next() {
            Cell cell = cell("");
            cells.put("", new Cell(cell.count() + 1, cell.mark()));
            return cell.count() + 1;
        }

        private boolean isEmpty() {
            return cells.isEmpty() && members.isEmpty() && operations.isEmpty() && lastTicket == 0;
        }
    }

    private <T> T change(Owner owner, Function<Numbers, T> step) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.compute(owner, (same, present) -> {
            Numbers numbers = present == null ? new Numbers() : present;
            answer.set(step.apply(numbers));
            return numbers.isEmpty() ? null : numbers;
        });
        return requireNonNull(answer.get());
    }

    private <T> T look(Owner owner, Function<Numbers, T> question) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.computeIfPresent(owner, (same, numbers) -> {
            answer.set(question.apply(numbers));
            return numbers;
        });
        T found = answer.get();
        return found == null ? question.apply(new Numbers()) : found;
    }

    @Override
    public List<Added> add(List<Add> adds) {
        long now = clock.millis();
        return adds.stream()
                .map(add -> change(add.key().owner(), numbers -> add(numbers, add, now)))
                .toList();
    }

    private static Added add(Numbers numbers, Add add, long now) {
        forgetOld(numbers.operations, now);
        String name = add.key().name();
        Cell cell = numbers.cell(name);
        if (add.operation().isPresent()
                && numbers.operations.containsKey(
                        new Numbers.Done(name, add.operation().get()))) {
            return new Added(Outcome.REPEATED, cell.count());
        }
        long sum = cell.count() + add.amount();
        if (((cell.count() ^ sum) & (add.amount() ^ sum)) < 0) {
            return new Added(Outcome.OVERFLOW, cell.count());
        }
        add.operation().ifPresent(operation -> numbers.operations.put(new Numbers.Done(name, operation), now));
        numbers.cells.put(name, new Cell(sum, cell.mark()));
        return new Added(Outcome.ADDED, sum);
    }

    /** Takes what is too old from the beginning of a map that holds the oldest first. */
    private static void forgetOld(Map<?, Long> since, long now) {
        Iterator<Long> oldest = since.values().iterator();
        while (oldest.hasNext() && now - oldest.next() >= REMEMBERED_MILLIS) {
            oldest.remove();
        }
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return raises.stream()
                .map(raise -> change(raise.key().owner(), numbers -> raise(numbers, raise)))
                .toList();
    }

    private static Raised raise(Numbers numbers, Raise raise) {
        String name = raise.key().name();
        Cell cell = numbers.cell(name);
        boolean present = cell.mark().isPresent();
        if (raise.when() == (present ? When.ABSENT : When.PRESENT)) {
            return new Raised(cell.mark(), cell.mark());
        }
        long before = cell.mark().orElse(0);
        long bound =
                raise.sequence().map(sequence -> numbers.cell(sequence).count()).orElse(Long.MAX_VALUE);
        long aim = Math.max(before, raise.to());
        long after = Math.max(before, aim > bound - raise.by() ? bound : aim + raise.by());
        numbers.cells.put(name, new Cell(cell.count(), OptionalLong.of(after)));
        return new Raised(cell.mark(), OptionalLong.of(after));
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        keys.forEach(key -> change(key.owner(), numbers -> numbers.cells.remove(key.name()) != null));
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return puts.stream()
                .map(put -> change(put.owner(), numbers -> put(numbers, put)))
                .toList();
    }

    private static OptionalLong put(Numbers numbers, Put put) {
        Member there = numbers.members.get(put.member());
        if (there != null && stays(there, put)) {
            return OptionalLong.empty();
        }
        long number = put.number().isPresent() ? put.number().getAsLong() : numbers.next();
        numbers.members.put(put.member(), new Member(put.member(), put.label(), number, true));
        return OptionalLong.of(number);
    }

    private static boolean stays(Member there, Put put) {
        OptionalLong upTo = put.replaced().upTo();
        return upTo.isEmpty() || (there.label().equals(put.label()) && there.number() > upTo.getAsLong());
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return turns.stream()
                .map(turn -> change(turn.owner(), numbers -> turn(numbers, turn)))
                .toList();
    }

    private static Optional<Member> turn(Numbers numbers, Turn turn) {
        Optional<Member> there = Optional.ofNullable(numbers.members.get(turn.member()));
        boolean settled = there.map(Member::settled).orElse(true);
        if (!settled || !there.map(Member::label).equals(turn.from())) {
            return there;
        }
        Member turned = new Member(turn.member(), turn.to(), turn.ticket(), false);
        numbers.members.put(turn.member(), turned);
        return Optional.of(turned);
    }

    @Override
    public void settle(Owner owner, Member member, boolean removed) {
        change(owner, numbers -> {
            Member there = numbers.members.get(member.name());
            if (there == null || there.number() != member.number()) {
                return false;
            }
            if (removed) {
                numbers.members.remove(member.name());
            } else {
                numbers.members.put(member.name(), new Member(there.name(), there.label(), there.number(), true));
            }
            return true;
        });
    }

    @Override
    public List<Long> openTickets(List<Owner> asked) {
        long now = clock.millis();
        return asked.stream()
                .map(owner -> change(owner, numbers -> {
                    forgetOld(numbers.tickets, now);
                    numbers.lastTicket++;
                    numbers.tickets.put(numbers.lastTicket, now);
                    return numbers.lastTicket;
                }))
                .toList();
    }

    @Override
    public boolean redeem(CellKey key, long ticket, long amount) {
        return change(key.owner(), numbers -> {
            boolean open = numbers.tickets.remove(ticket) != null;
            if (open && amount != 0) {
                Cell cell = numbers.cell(key.name());
                numbers.cells.put(key.name(), new Cell(cell.count() + amount, cell.mark()));
            }
            return open;
        });
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return change(
                owner,
                numbers -> members.stream()
                        .map(member -> numbers.members.remove(member) != null)
                        .toList());
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        change(
                owner,
                numbers -> numbers.members.computeIfPresent(
                                member, (same, there) -> new Member(member, label, there.number(), there.settled()))
                        != null);
    }

    @Override
    public List<Map<String, Cell>> cells(List<Owner> asked) {
        return asked.stream()
                .map(owner -> look(owner, numbers -> Map.copyOf(numbers.cells)))
                .toList();
    }

    @Override
    public List<Cell> cellsOf(List<CellKey> keys) {
        return keys.stream()
                .map(key -> look(key.owner(), numbers -> numbers.cell(key.name())))
                .toList();
    }

    @Override
    public List<Standing> standings(List<CellKey> marks) {
        return marks.stream()
                .map(key -> look(key.owner(), numbers -> standing(numbers, key.name())))
                .toList();
    }

    private static Standing standing(Numbers numbers, String name) {
        OptionalLong mark = numbers.cell(name).mark();
        long above = mark.isEmpty()
                ? 0
                : numbers.members.values().stream()
                        .filter(member -> member.number() > mark.getAsLong())
                        .count();
        return new Standing(new Cell(numbers.cell("").count(), mark), above);
    }

    @Override
    public List<List<Member>> members(List<Owner> asked) {
        return asked.stream()
                .map(owner -> look(owner, numbers -> List.copyOf(numbers.members.values())))
                .toList();
    }

    @Override
    public Map<String, Member> membersOf(Owner owner, Collection<String> members) {
        return look(owner, numbers -> {
            Map<String, Member> there = new HashMap<>();
            members.forEach(name -> {
                Member member = numbers.members.get(name);
                if (member != null) {
                    there.put(name, member);
                }
            });
            return Map.copyOf(there);
        });
    }

    @Override
    public void forget(Collection<Owner> forgotten) {
        forgotten.forEach(owners::remove);
    }
}
