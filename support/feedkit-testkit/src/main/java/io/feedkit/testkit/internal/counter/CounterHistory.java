package io.feedkit.testkit.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Condition;
import io.feedkit.spi.counter.CounterWrites.Counted;
import io.feedkit.spi.counter.CounterWrites.Listing;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.Retraction;
import io.feedkit.spi.counter.CounterWrites.Settlement;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Random steps on a store and on a model. Their answers must be equal, and so must their contents after each step. A
 * history has its own owners, so that several histories fit into one store.
 */
public final class CounterHistory {

    /** Numbers at the limits of bytes, words, doubles and 64 bits. */
    private static final List<Long> NUMBERS = List.of(
            0L,
            1L,
            2L,
            -1L,
            255L,
            256L,
            -256L,
            (1L << 31) - 1,
            1L << 31,
            (1L << 32) - 1,
            1L << 32,
            -(1L << 32),
            (1L << 53) + 1,
            (1L << 53) + 2,
            Long.MAX_VALUE - 1,
            Long.MAX_VALUE,
            Long.MIN_VALUE + 1,
            Long.MIN_VALUE);

    /** A sequence to which nothing is added. */
    private static final String UNUSED = "unused";

    private static final List<String> NAMES = List.of("", "a", "07", "7", "like/12");
    private static final List<String> USERS = List.of("ann", "12", "012", "like/7", "d");
    private static final List<String> LABELS = List.of("", "0+", "0-", "1+", "*", "segment");

    private final CounterStore store;
    private final CounterStore model;
    private final Consumer<Duration> pass;
    private final Random random;
    private final List<Owner> owners;

    /**
     * A history.
     *
     * @param store the store under test
     * @param model the model to compare with; it uses the same clock
     * @param pass lets time pass
     * @param seed selects the history
     */
    public CounterHistory(CounterStore store, CounterStore model, Consumer<Duration> pass, long seed) {
        this.store = store;
        this.model = model;
        this.pass = pass;
        this.random = new Random(seed);
        this.owners = List.of(
                new Owner(Space.TYPES, "ann" + seed),
                new Owner(Space.CONVERSATION, "ann" + seed),
                new Owner(Space.CONVERSATION, "c" + seed),
                new Owner(Space.REACTIONS, "ann" + seed),
                new Owner(Space.POSTS, "p" + seed),
                new Owner(Space.ANNOUNCEMENTS, "a" + seed));
    }

    /**
     * Does some steps.
     *
     * @param steps how many
     */
    public void run(int steps) {
        for (int step = 0; step < steps; step++) {
            step();
            assertThat(everything(store)).as("step %d", step).isEqualTo(everything(model));
        }
    }

    private void step() {
        Owner owner = pick(owners);
        switch (random.nextInt(13)) {
            case 0 -> pass.accept(Duration.ofHours(random.nextInt(9)));
            case 1 -> both(List.of(owner), CounterStore::forget);
            case 2 -> both(some(this::cell), CounterStore::removeCells);
            case 3, 4 -> same(some(this::add), CounterStore::add);
            case 5 -> same(some(this::raise), CounterStore::raise);
            case 6 -> same(some(this::put), CounterStore::put);
            case 7 -> same(some(this::turn), CounterStore::turn);
            case 8 -> both(some(this::settlement), CounterStore::settle);
            case 9 -> {
                same(List.of(pick(NAMES), pick(NAMES)), (store, names) -> store.removeMembers(owner, names));
                both(pick(LABELS), (store, label) -> store.relabel(owner, label.isEmpty() ? "a" : "07", label));
            }
            case 10 -> both(some(this::retraction), CounterStore::retract);
            case 11 -> {
                Optional<Condition> condition =
                        random.nextBoolean() ? Optional.empty() : Optional.of(new Condition(UNUSED, random.nextInt(2)));
                same(some(this::counted), (store, changes) -> counted(store, changes, owners.get(4), condition));
            }
            default -> same(List.of(pick(NUMBERS), pick(NUMBERS)), (store, amounts) -> redeemed(store, owner, amounts));
        }
    }

    private <T> void same(T argument, BiFunction<CounterStore, T, Object> call) {
        assertThat(call.apply(store, argument)).isEqualTo(call.apply(model, argument));
    }

    private <T> void both(T argument, BiConsumer<CounterStore, T> call) {
        call.accept(model, argument);
        call.accept(store, argument);
    }

    private static List<Boolean> redeemed(CounterStore store, Owner owner, List<Long> amounts) {
        List<Long> tickets = store.openTickets(List.of(owner, owner));
        store.forget(List.of(owner));
        CellKey key = new CellKey(owner, "a");
        return store.redeem(List.of(
                new Redemption(key, tickets.get(0), amounts.get(0)),
                new Redemption(key, tickets.get(1), amounts.get(1)),
                new Redemption(key, tickets.get(0), amounts.get(1))));
    }

    /** Changes counts of a post, and their lists. */
    private static List<Boolean> counted(
            CounterStore store, List<List<Counted>> changes, Owner post, Optional<Condition> condition) {
        List<Long> tickets =
                store.openTickets(changes.stream().map(each -> post).toList());
        List<Redemption> redemptions = new ArrayList<>();
        for (List<Counted> each : changes) {
            long ticket = tickets.get(redemptions.size());
            redemptions.add(new Redemption(post, ticket, each, redemptions.isEmpty() ? condition : Optional.empty()));
        }
        return store.redeem(redemptions);
    }

    private List<Counted> counted() {
        return some(() -> new Counted(
                pick(NAMES),
                random.nextInt(3) == 0 ? -1 : 1,
                random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(new Listing(pick(USERS), 1 + random.nextInt(3)))));
    }

    private Add add() {
        Owner owner = pick(owners);
        Optional<String> operation = random.nextBoolean() ? Optional.of("o" + random.nextInt(4)) : Optional.empty();
        Optional<String> marked = random.nextInt(3) == 0 ? Optional.of(pick(NAMES)) : Optional.empty();
        return new Add(new CellKey(owner, pick(NAMES)), pick(NUMBERS), operation, marked);
    }

    /** Only operations of typed counters are retracted. */
    private Retraction retraction() {
        return new Retraction(new CellKey(owners.get(0), pick(NAMES)), "o" + random.nextInt(4));
    }

    private Raise raise() {
        CellKey key = cell();
        long by = Math.max(0, pick(NUMBERS));
        String sequence = pick(NAMES);
        boolean bounded = random.nextBoolean();
        return new Raise(
                key,
                pick(NUMBERS),
                by,
                bounded ? Optional.of(sequence) : Optional.empty(),
                pick(List.of(When.values())));
    }

    private Put put() {
        OptionalLong number = random.nextInt(3) > 0 ? OptionalLong.of(pick(NUMBERS)) : OptionalLong.empty();
        Replaced replaced = random.nextBoolean() ? new Replaced(OptionalLong.of(pick(NUMBERS))) : Replaced.NONE;
        return new Put(pick(owners), pick(NAMES), pick(LABELS), number, replaced);
    }

    private Turn turn() {
        Owner owner = pick(owners);
        String name = pick(NAMES);
        Optional<String> from = random.nextInt(3) == 0
                ? Optional.of(pick(LABELS))
                : Optional.ofNullable(model.membersOf(owner, List.of(name)).get(name))
                        .map(Member::label);
        return new Turn(owner, name, from, pick(LABELS), pick(NUMBERS));
    }

    private Settlement settlement() {
        Owner owner = pick(owners);
        List<Member> there = List.copyOf(model.membersOf(owner, NAMES).values());
        Member any = new Member(pick(NAMES), pick(LABELS), pick(NUMBERS), false);
        return new Settlement(
                owner, there.isEmpty() || random.nextBoolean() ? any : there.get(0), random.nextBoolean());
    }

    private CellKey cell() {
        return new CellKey(pick(owners), pick(NAMES));
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private <T> List<T> some(Supplier<T> one) {
        return Stream.generate(one).limit(1 + random.nextInt(4)).toList();
    }

    private Object everything(CounterStore asked) {
        List<CellKey> keys = owners.stream()
                .flatMap(owner -> NAMES.stream().map(name -> new CellKey(owner, name)))
                .toList();
        List<Lookup> lookups =
                owners.stream().map(owner -> new Lookup(owner, NAMES)).toList();
        Found found = asked.read(new Wanted(
                owners,
                keys,
                keys,
                owners,
                lookups,
                owners.stream()
                        .map(owner -> new PageOf(
                                owner,
                                owner.space() == Space.ANNOUNCEMENTS ? "" : "like/",
                                Long.MAX_VALUE,
                                USERS.size()))
                        .toList(),
                NAMES.stream()
                        .map(name -> new NewestOf(new CellKey(owners.get(4), name), USERS.size()))
                        .toList()));
        return List.of(
                found.cells().stream().map(CounterHistory::withoutNone).toList(),
                found.cellsOf(),
                found.standings(),
                found.members().stream().map(Set::copyOf).toList(),
                found.lookups(),
                found.pages().stream().map(Set::copyOf).toList(),
                found.newest());
    }

    private static Map<String, Cell> withoutNone(Map<String, Cell> cells) {
        Map<String, Cell> some = new HashMap<>(cells);
        some.values().removeIf(Cell.NONE::equals);
        return some;
    }
}
