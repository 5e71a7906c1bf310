package io.feedkit.memory;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * OwnerNumbers in this process's memory, and the reference for what {@link CounterStore} means.
 */
public final class InMemoryCounterStore implements CounterStore {

    private static final Duration REMEMBERED = Duration.ofHours(24);

    /** An owner with an operation or a ticket of a time, which is remembered for a while. */
    private record Since(long at, Owner owner) {}

    private final Clock clock;
    private final long rememberedMillis;
    private final ConcurrentHashMap<Owner, OwnerNumbers> owners = new ConcurrentHashMap<>();
    private final AtomicLong lastTicket = new AtomicLong();
    /** Roughly the oldest first. */
    private final ConcurrentLinkedQueue<Since> remembered = new ConcurrentLinkedQueue<>();

    private InMemoryCounterStore(Clock clock, Duration operationsKept) {
        this.clock = requireNonNull(clock, "clock");
        if (operationsKept.isNegative() || operationsKept.isZero()) {
            throw new IllegalArgumentException("operationsKept must be positive, but is " + operationsKept);
        }
        this.rememberedMillis = operationsKept.toMillis();
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
     * An empty store with a clock of the host.
     *
     * @param clock the clock for how long operations are remembered
     * @return the store
     */
    public static InMemoryCounterStore create(Clock clock) {
        return create(clock, REMEMBERED);
    }

    /**
     * An empty store with a clock of the host.
     *
     * @param clock the clock for how long operations are remembered
     * @param operationsKept how long operations and open tickets are remembered; 24 hours unless set
     * @return the store
     * @throws IllegalArgumentException if the duration is not positive
     */
    public static InMemoryCounterStore create(Clock clock, Duration operationsKept) {
        return new InMemoryCounterStore(clock, operationsKept);
    }

    /**
     * Removes the records of old views, by this store's clock; the counts stay. Otherwise only
     * {@link io.feedkit.counter.Views#forget} removes them.
     *
     * @param olderThan the age of the records to remove; at least the window of the {@link io.feedkit.counter.Views},
     *     because otherwise views in the window count again
     * @return how many records were removed
     * @throws IllegalArgumentException if the age is negative
     */
    public int purgeViews(Duration olderThan) {
        if (olderThan.isNegative()) {
            throw new IllegalArgumentException("olderThan must not be negative, but is " + olderThan);
        }
        long until = clock.millis() - olderThan.toMillis();
        AtomicInteger removed = new AtomicInteger();
        for (Owner owner : owners.keySet()) {
            if (owner.space() == Space.VIEWS) {
                change(
                        owner,
                        numbers -> numbers.members.values().removeIf(view -> {
                            boolean old = view.number() <= until;
                            removed.addAndGet(old ? 1 : 0);
                            return old;
                        }));
            }
        }
        return removed.get();
    }

    private <T> T change(Owner owner, Function<OwnerNumbers, T> step) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.compute(owner, (same, present) -> {
            OwnerNumbers numbers = present == null ? new OwnerNumbers() : present;
            answer.set(step.apply(numbers));
            return numbers.isEmpty() ? null : numbers;
        });
        return requireNonNull(answer.get());
    }

    private <T> T look(Owner owner, Function<OwnerNumbers, T> question) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.computeIfPresent(owner, (same, numbers) -> {
            answer.set(question.apply(numbers));
            return numbers;
        });
        T found = answer.get();
        return found == null ? question.apply(new OwnerNumbers()) : found;
    }

    /** Forgets old operations and tickets, also of owners that are not used any more. */
    private void forgetOld(long now) {
        Since oldest = remembered.peek();
        while (oldest != null && now - oldest.at() >= rememberedMillis && remembered.remove(oldest)) {
            change(oldest.owner(), numbers -> {
                numbers.forgetBefore(now - rememberedMillis);
                return true;
            });
            oldest = remembered.peek();
        }
    }

    @Override
    public List<Added> add(List<Add> adds) {
        long now = clock.millis();
        forgetOld(now);
        return adds.stream()
                .map(add -> {
                    Added added = change(add.key().owner(), numbers -> add(numbers, add, now));
                    if (add.operation().isPresent() && added.outcome() == Outcome.ADDED) {
                        remembered.add(new Since(now, add.key().owner()));
                    }
                    return added;
                })
                .toList();
    }

    private Added add(OwnerNumbers numbers, Add add, long now) {
        numbers.forgetBefore(now - rememberedMillis);
        String name = add.key().name();
        Cell cell = numbers.cell(name);
        if (add.operation().isPresent()
                && numbers.operations.containsKey(
                        new OwnerNumbers.Done(name, add.operation().get()))) {
            return new Added(Outcome.REPEATED, cell.count());
        }
        Optional<Cell> marked = add.marked().map(numbers::cell);
        if (marked.isPresent() && marked.get().mark().isEmpty()) {
            return new Added(Outcome.UNMARKED, cell.count());
        }
        if (!add(numbers, name, add.amount())) {
            return new Added(Outcome.OVERFLOW, cell.count());
        }
        long sum = numbers.cell(name).count();
        add.operation().ifPresent(operation -> numbers.operations.put(new OwnerNumbers.Done(name, operation), now));
        add.marked().ifPresent(mark -> {
            Cell there = numbers.cell(mark);
            long raised = Math.max(there.mark().orElse(0), sum);
            numbers.cells.put(mark, new Cell(there.count(), OptionalLong.of(raised)));
        });
        return new Added(Outcome.ADDED, sum);
    }

    /** Adds, unless the sum does not fit into 64 bits. */
    private static boolean add(OwnerNumbers numbers, String name, long amount) {
        Cell cell = numbers.cell(name);
        long sum = cell.count() + amount;
        if (((cell.count() ^ sum) & (amount ^ sum)) < 0) {
            return false;
        }
        numbers.cells.put(name, new Cell(sum, cell.mark()));
        return true;
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return raises.stream()
                .map(raise -> change(raise.key().owner(), numbers -> raise(numbers, raise)))
                .toList();
    }

    private static Raised raise(OwnerNumbers numbers, Raise raise) {
        String name = raise.key().name();
        Cell cell = numbers.cell(name);
        long count =
                raise.sequence().map(sequence -> numbers.cell(sequence).count()).orElse(0L);
        OptionalLong after = raise.onto(cell.mark(), count);
        if (!after.equals(cell.mark())) {
            numbers.cells.put(name, new Cell(cell.count(), after));
        }
        return new Raised(cell.mark(), after);
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

    private static OptionalLong put(OwnerNumbers numbers, Put put) {
        Member there = numbers.members.get(put.member());
        if (there != null && !put.takesPlaceOf(there)) {
            return OptionalLong.empty();
        }
        long number = put.number().isPresent() ? put.number().getAsLong() : numbers.next();
        numbers.members.put(put.member(), new Member(put.member(), put.label(), number, true));
        return OptionalLong.of(number);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return turns.stream()
                .map(turn -> change(turn.owner(), numbers -> turn(numbers, turn)))
                .toList();
    }

    private static Optional<Member> turn(OwnerNumbers numbers, Turn turn) {
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
    public void settle(List<Settlement> turns) {
        turns.forEach(turn -> change(turn.owner(), numbers -> settle(numbers, turn.member(), turn.removed())));
    }

    private static boolean settle(OwnerNumbers numbers, Member member, boolean removed) {
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
    }

    @Override
    public List<Long> openTickets(List<Owner> asked) {
        long now = clock.millis();
        forgetOld(now);
        return asked.stream()
                .map(owner -> {
                    long ticket = lastTicket.incrementAndGet();
                    remembered.add(new Since(now, owner));
                    return change(owner, numbers -> {
                        numbers.tickets.put(ticket, now);
                        return ticket;
                    });
                })
                .toList();
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        long old = clock.millis() - rememberedMillis;
        return redemptions.stream()
                .map(each -> change(each.key().owner(), numbers -> redeem(numbers, each, old)))
                .toList();
    }

    private static boolean redeem(OwnerNumbers numbers, Redemption redemption, long old) {
        numbers.forgetBefore(old);
        boolean open = numbers.tickets.remove(redemption.ticket()) != null;
        if (open && redemption.amount() != 0) {
            add(numbers, redemption.key().name(), redemption.amount());
        }
        return open;
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
    public Found read(Wanted wanted) {
        return new Found(
                each(wanted.cells(), owner -> look(owner, numbers -> Map.copyOf(numbers.cells))),
                each(wanted.cellsOf(), key -> look(key.owner(), numbers -> numbers.cell(key.name()))),
                each(wanted.standings(), key -> look(key.owner(), numbers -> standing(numbers, key.name()))),
                each(wanted.members(), owner -> look(owner, numbers -> List.copyOf(numbers.members.values()))),
                each(wanted.lookups(), lookup -> look(lookup.owner(), numbers -> there(numbers, lookup.members()))));
    }

    private static <T, A> List<A> each(List<T> wanted, Function<T, A> answer) {
        return wanted.stream().map(answer).toList();
    }

    private static Standing standing(OwnerNumbers numbers, String name) {
        OptionalLong mark = numbers.cell(name).mark();
        long above = mark.isEmpty()
                ? 0
                : numbers.members.values().stream()
                        .filter(member -> member.number() > mark.getAsLong())
                        .count();
        return new Standing(new Cell(numbers.cell("").count(), mark), above);
    }

    private static Map<String, Member> there(OwnerNumbers numbers, Collection<String> names) {
        Map<String, Member> there = new HashMap<>();
        names.forEach(name -> {
            Member member = numbers.members.get(name);
            if (member != null) {
                there.put(name, member);
            }
        });
        return Map.copyOf(there);
    }

    @Override
    public void forget(Collection<Owner> forgotten) {
        forgotten.forEach(owner -> change(owner, numbers -> {
            numbers.cells.clear();
            numbers.members.clear();
            return true;
        }));
    }
}
