package io.feedkit.memory;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.spi.counter.TicketNumbers;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A counter store in this process's memory, and the reference for what {@link CounterStore} means. Three groups of a
 * user's data expire: the announcements that the user has seen, the user's dots, and the user's views. Each group
 * expires as a whole, when nothing of it was written for 30 days, unless set.
 *
 * @since 0.1.0
 */
public final class InMemoryCounterStore implements CounterStore {

    private static final Duration REMEMBERED = Duration.ofHours(24);
    private static final Duration IDLE_KEPT = Duration.ofDays(30);
    private static final Duration SHORTEST_KEPT = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

    /** The spaces whose owners are users who may be idle. */
    private static final Set<Space> EXPIRING = EnumSet.of(Space.ANNOUNCEMENTS_SEEN, Space.DOTS, Space.VIEWS);

    /** The time at which the data of an owner may expire. At most one expiry of an owner is valid. */
    record Expiry(long at, Owner owner) {}

    /** An operation or a ticket that is remembered until a time. */
    private record Remembered(long until, Owner owner, Consumer<OwnerNumbers> forgetting) {}

    private final Clock clock;
    private final long rememberedMillis;
    private final Duration idleKept;
    private final long idleMillis;
    private final ConcurrentHashMap<Owner, OwnerNumbers> owners = new ConcurrentHashMap<>();
    private final TicketNumbers ticketNumbers = new TicketNumbers(TicketNumbers.MOST_LOWER_BITS);
    private final PriorityBlockingQueue<Remembered> remembered =
            new PriorityBlockingQueue<>(16, Comparator.comparingLong(Remembered::until));
    private final PriorityBlockingQueue<Expiry> expiries =
            new PriorityBlockingQueue<>(16, Comparator.comparingLong(Expiry::at));

    private InMemoryCounterStore(Clock clock, Duration operationsKept, Duration idleKept) {
        this.clock = Arguments.nonNull("clock", clock);
        this.rememberedMillis = Arguments.between("operationsKept", operationsKept, SHORTEST_KEPT, LONGEST)
                .toMillis();
        this.idleKept = Arguments.between("idleKept", idleKept, SHORTEST_KEPT, LONGEST);
        // Later than any time of a clock, but small enough that the sum with a time does not overflow.
        this.idleMillis = Math.min(idleKept.toMillis(), Long.MAX_VALUE / 2);
    }

    /**
     * Creates an empty store.
     *
     * @return the store
     */
    public static InMemoryCounterStore create() {
        return create(Clock.systemUTC());
    }

    /**
     * Creates an empty store with the host's clock.
     *
     * @param clock the clock that measures how long operations are remembered and users are idle
     * @return the store
     */
    public static InMemoryCounterStore create(Clock clock) {
        return create(clock, REMEMBERED);
    }

    /**
     * Creates an empty store with the host's clock.
     *
     * @param clock the clock that measures how long operations are remembered and users are idle
     * @param operationsKept how long operations and open tickets are remembered, from a second to 2^63 - 1
     *     milliseconds; 24 hours unless set. It must be longer than any call takes, and longer than a host repeats
     *     calls
     * @return the store
     * @throws IllegalArgumentException if the clock is null, or the duration is null or out of range
     */
    public static InMemoryCounterStore create(Clock clock, Duration operationsKept) {
        return create(clock, operationsKept, IDLE_KEPT);
    }

    /**
     * Creates an empty store with the host's clock.
     *
     * @param clock the clock that measures how long operations are remembered and users are idle
     * @param operationsKept as {@link #create(Clock, Duration)}
     * @param idleKept how long the data of idle users are kept, from a second to 2^63 - 1 milliseconds; 30 days unless
     *     set. A write that changes nothing counts, such as {@link io.feedkit.unread.Announcements#enter} at each
     *     visit. {@link io.feedkit.counter.Views} refuses a longer window
     * @return the store
     * @throws IllegalArgumentException if the clock is null, or a duration is null or out of range
     */
    public static InMemoryCounterStore create(Clock clock, Duration operationsKept, Duration idleKept) {
        return new InMemoryCounterStore(clock, operationsKept, idleKept);
    }

    /** A user's views expire together, after the last one. */
    @Override
    public Optional<Duration> viewsKept() {
        return Optional.of(idleKept);
    }

    /**
     * Removes the records of old views, by this store's clock; the counts stay. Otherwise a user's views are removed by
     * {@link io.feedkit.counter.Views#forget}, and when the user is idle.
     *
     * @param olderThan the age of the records to remove; at least the window of the {@link io.feedkit.counter.Views},
     *     because otherwise views in the window count again
     * @return how many records were removed
     * @throws IllegalArgumentException if the age is null, negative or longer than 2^63 - 1 milliseconds
     */
    public int purgeViews(Duration olderThan) {
        Arguments.between("olderThan", olderThan, Duration.ZERO, LONGEST);
        long until = clock.millis() - olderThan.toMillis();
        AtomicInteger removed = new AtomicInteger();
        for (Owner owner : owners.keySet()) {
            if (owner.space() == Space.VIEWS) {
                owners.computeIfPresent(owner, (same, numbers) -> {
                    numbers.members.values().removeIf(view -> {
                        boolean old = view.number() <= until;
                        removed.addAndGet(old ? 1 : 0);
                        return old;
                    });
                    return numbers.isEmpty() ? null : numbers;
                });
            }
        }
        return removed.get();
    }

    private <T> T change(Owner owner, Function<OwnerNumbers, T> step) {
        boolean expires = EXPIRING.contains(owner.space());
        long now = expires ? clock.millis() : 0;
        if (expires) {
            removeIdle(now);
        }
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.compute(owner, (same, present) -> {
            OwnerNumbers numbers = present == null || (expires && isIdle(present, now)) ? new OwnerNumbers() : present;
            answer.set(step.apply(numbers));
            if (numbers.isEmpty()) {
                return null;
            }
            if (expires) {
                numbers.usedAt = now;
                if (numbers != present) {
                    expireAt(now + idleMillis, owner, numbers);
                }
            }
            return numbers;
        });
        return requireNonNull(answer.get());
    }

    private void expireAt(long time, Owner owner, OwnerNumbers numbers) {
        Expiry expiry = new Expiry(time, owner);
        numbers.expiry = expiry;
        expiries.add(expiry);
    }

    private boolean isIdle(OwnerNumbers numbers, long now) {
        return now - numbers.usedAt >= idleMillis;
    }

    /** Removes the data of idle users. */
    private void removeIdle(long now) {
        Expiry next = expiries.poll();
        while (next != null && next.at() <= now) {
            Expiry due = next;
            owners.computeIfPresent(due.owner(), (owner, numbers) -> {
                if (!due.equals(numbers.expiry)) {
                    return numbers;
                }
                if (isIdle(numbers, now)) {
                    return null;
                }
                expireAt(numbers.usedAt + idleMillis, owner, numbers);
                return numbers;
            });
            next = expiries.poll();
        }
        if (next != null) {
            expiries.add(next);
        }
    }

    private <T> T look(Owner owner, Function<OwnerNumbers, T> question) {
        boolean expires = EXPIRING.contains(owner.space());
        long now = expires ? clock.millis() : 0;
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        owners.computeIfPresent(owner, (same, numbers) -> {
            if (!expires || !isIdle(numbers, now)) {
                answer.set(question.apply(numbers));
            }
            return numbers;
        });
        T found = answer.get();
        return found == null ? question.apply(new OwnerNumbers()) : found;
    }

    /** Removes expired operations and tickets, also of owners that are no longer used. */
    private void removeExpired(long now) {
        Remembered oldest = remembered.poll();
        while (oldest != null && oldest.until() <= now) {
            Consumer<OwnerNumbers> forgetting = oldest.forgetting();
            change(oldest.owner(), numbers -> {
                forgetting.accept(numbers);
                return true;
            });
            oldest = remembered.poll();
        }
        if (oldest != null) {
            remembered.add(oldest);
        }
    }

    private long until(long now) {
        return now > Long.MAX_VALUE - rememberedMillis ? Long.MAX_VALUE : now + rememberedMillis;
    }

    private void remember(Owner owner, OwnerNumbers numbers, OwnerNumbers.Done done, OwnerNumbers.Operation operation) {
        numbers.operations.put(done, operation);
        remembered.add(new Remembered(
                operation.until(),
                owner,
                later -> later.operations.computeIfPresent(
                        done, (same, known) -> known.until() > operation.until() ? known : null)));
    }

    @Override
    public List<Added> add(List<Add> adds) {
        long now = clock.millis();
        removeExpired(now);
        return adds.stream()
                .map(add -> change(add.key().owner(), numbers -> add(numbers, add, now)))
                .toList();
    }

    private Added add(OwnerNumbers numbers, Add add, long now) {
        String name = add.key().name();
        Cell cell = numbers.cell(name);
        Optional<OwnerNumbers.Done> done = add.operation().map(id -> new OwnerNumbers.Done(name, id));
        if (done.isPresent() && numbers.isRemembered(done.get(), now)) {
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
        done.ifPresent(each ->
                remember(add.key().owner(), numbers, each, new OwnerNumbers.Operation(until(now), sum, add.amount())));
        add.marked().ifPresent(mark -> {
            Cell there = numbers.cell(mark);
            numbers.cells.put(
                    mark, there.withMark(OptionalLong.of(Math.max(there.mark().orElse(0), sum))));
        });
        return new Added(Outcome.ADDED, sum);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        long now = clock.millis();
        removeExpired(now);
        retractions.forEach(retraction -> change(retraction.key().owner(), numbers -> {
            retract(numbers, retraction, now);
            return true;
        }));
    }

    private void retract(OwnerNumbers numbers, Retraction retraction, long now) {
        String name = retraction.key().name();
        OwnerNumbers.Done done = new OwnerNumbers.Done(name, retraction.operation());
        OwnerNumbers.Operation known = numbers.operations.get(done);
        if (known == null || known.until() <= now) {
            remember(retraction.key().owner(), numbers, done, new OwnerNumbers.Operation(until(now), 0, 0));
        } else if (known.amount() != 0) {
            numbers.operations.put(done, known.retracted());
            numbers.cells.computeIfPresent(name, (same, cell) -> cell.without(known.end(), known.amount()));
        }
    }

    /** Adds, unless the sum does not fit into 64 bits. */
    private static boolean add(OwnerNumbers numbers, String name, long amount) {
        Cell cell = numbers.cell(name);
        long sum = cell.count() + amount;
        if (((cell.count() ^ sum) & (amount ^ sum)) < 0) {
            return false;
        }
        numbers.cells.put(name, cell.withCount(sum));
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
            numbers.cells.put(name, cell.withMark(after));
        }
        return new Raised(cell.mark(), after);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        keys.forEach(key -> change(key.owner(), numbers -> {
            numbers.removeCell(key.name());
            return true;
        }));
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
        turns.forEach(turn -> change(turn.owner(), numbers -> settle(numbers, turn)));
    }

    private static boolean settle(OwnerNumbers numbers, Settlement turn) {
        String name = turn.member().name();
        Member there = numbers.members.get(name);
        if (there == null || there.number() != turn.member().number()) {
            return false;
        }
        if (turn.label().isEmpty()) {
            numbers.members.remove(name);
        } else {
            numbers.members.put(name, new Member(name, turn.label().get(), there.number(), true));
        }
        return true;
    }

    @Override
    public List<Long> openTickets(List<Owner> asked) {
        long now = clock.millis();
        removeExpired(now);
        return asked.stream()
                .map(owner -> {
                    long ticket = ticketNumbers.next();
                    long until = until(now);
                    remembered.add(new Remembered(until, owner, numbers -> numbers.tickets.remove(ticket)));
                    return change(owner, numbers -> {
                        numbers.tickets.put(ticket, until);
                        return ticket;
                    });
                })
                .toList();
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        long now = clock.millis();
        return redemptions.stream()
                .map(each -> change(each.owner(), numbers -> redeem(numbers, each, now)))
                .toList();
    }

    private static boolean redeem(OwnerNumbers numbers, Redemption redemption, long now) {
        Long until = numbers.tickets.remove(redemption.ticket());
        boolean open = until != null && until > now;
        boolean holds = redemption
                .condition()
                .map(condition -> numbers.cell(condition.name()).count() == condition.count())
                .orElse(true);
        if (open && holds) {
            redemption.counted().forEach(counted -> {
                add(numbers, counted.name(), counted.amount());
                counted.listing().ifPresent(listing -> numbers.list(counted, listing));
            });
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
                each(wanted.lookups(), lookup -> look(lookup.owner(), numbers -> there(numbers, lookup.members()))),
                each(wanted.pages(), page -> look(page.owner(), numbers -> numbers.page(page))),
                each(wanted.newest(), newest -> look(newest.key().owner(), numbers -> numbers.newest(newest))));
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
            numbers.forget();
            return true;
        }));
    }

    @Override
    public String toString() {
        return "InMemoryCounterStore";
    }
}
