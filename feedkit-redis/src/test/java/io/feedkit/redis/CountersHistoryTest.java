package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.CounterStore;
import io.feedkit.spi.CounterStore.Add;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Found;
import io.feedkit.spi.CounterStore.Lookup;
import io.feedkit.spi.CounterStore.Member;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Put;
import io.feedkit.spi.CounterStore.Raise;
import io.feedkit.spi.CounterStore.Redemption;
import io.feedkit.spi.CounterStore.Replaced;
import io.feedkit.spi.CounterStore.Settlement;
import io.feedkit.spi.CounterStore.Space;
import io.feedkit.spi.CounterStore.Turn;
import io.feedkit.spi.CounterStore.Wanted;
import io.feedkit.spi.CounterStore.When;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Random histories of counters in Redis")
class CountersHistoryTest {

    private static final int STEPS = 150;

    /** At the edges of bytes, words, doubles and 64 bits. */
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

    private static final List<Owner> OWNERS = List.of(
            new Owner(Space.TYPES, "ann"),
            new Owner(Space.CONVERSATION, "ann"),
            new Owner(Space.CONVERSATION, "c"),
            new Owner(Space.REACTIONS, "ann"));

    private static final List<String> NAMES = List.of("", "a", "07", "7", "like/12");
    private static final List<String> LABELS = List.of("", "0+", "0-", "1+", "*", "segment");

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final CounterStore memory = InMemoryCounterStore.create(clock);
    private final RedisCounterStore redis = RedisCounterStore.builder(TestInboxes.uri())
            .prefix(TestInboxes.newPrefix())
            .clock(clock)
            .resources(TestInboxes.resources())
            .build();

    private Random random = new Random();

    @AfterEach
    void close() {
        redis.close();
    }

    static IntStream seeds() {
        return IntStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("are answered as in memory")
    void asInMemory(int seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            step();
            assertThat(everything(redis)).as("step %d", step).isEqualTo(everything(memory));
        }
    }

    private void step() {
        Owner owner = pick(OWNERS);
        switch (random.nextInt(11)) {
            case 0 -> clock.advance(Duration.ofHours(random.nextInt(9)));
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
            default -> same(List.of(pick(NUMBERS), pick(NUMBERS)), (store, amounts) -> redeemed(store, owner, amounts));
        }
    }

    private <T> void same(T argument, BiFunction<CounterStore, T, Object> call) {
        assertThat(call.apply(redis, argument)).isEqualTo(call.apply(memory, argument));
    }

    private <T> void both(T argument, BiConsumer<CounterStore, T> call) {
        call.accept(memory, argument);
        call.accept(redis, argument);
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

    private Add add() {
        Owner owner = pick(OWNERS);
        Optional<String> operation = random.nextBoolean() ? Optional.of("o" + random.nextInt(4)) : Optional.empty();
        Optional<String> marked = random.nextInt(3) == 0 ? Optional.of(pick(NAMES)) : Optional.empty();
        return new Add(new CellKey(owner, pick(NAMES)), pick(NUMBERS), operation, marked);
    }

    /** A bound is never far below zero, where nobody has one. */
    private Raise raise() {
        CellKey key = cell();
        long by = Math.max(0, pick(NUMBERS));
        String sequence = pick(NAMES);
        boolean bounded = random.nextBoolean()
                && memory.cell(new CellKey(key.owner(), sequence)).count() >= 0;
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
        return new Put(pick(OWNERS), pick(NAMES), pick(LABELS), number, replaced);
    }

    private Turn turn() {
        Owner owner = pick(OWNERS);
        String name = pick(NAMES);
        Optional<String> from = random.nextInt(3) == 0
                ? Optional.of(pick(LABELS))
                : Optional.ofNullable(memory.membersOf(owner, List.of(name)).get(name))
                        .map(Member::label);
        return new Turn(owner, name, from, pick(LABELS), pick(NUMBERS));
    }

    private Settlement settlement() {
        Owner owner = pick(OWNERS);
        List<Member> there = List.copyOf(memory.membersOf(owner, NAMES).values());
        Member any = new Member(pick(NAMES), pick(LABELS), pick(NUMBERS), false);
        return new Settlement(
                owner, there.isEmpty() || random.nextBoolean() ? any : there.get(0), random.nextBoolean());
    }

    private CellKey cell() {
        return new CellKey(pick(OWNERS), pick(NAMES));
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private <T> List<T> some(Supplier<T> one) {
        return Stream.generate(one).limit(1 + random.nextInt(4)).toList();
    }

    private static Object everything(CounterStore store) {
        List<CellKey> keys = OWNERS.stream()
                .flatMap(owner -> NAMES.stream().map(name -> new CellKey(owner, name)))
                .toList();
        List<Lookup> lookups =
                OWNERS.stream().map(owner -> new Lookup(owner, NAMES)).toList();
        Found found = store.read(new Wanted(OWNERS, keys, keys, OWNERS, lookups));
        return List.of(
                found.cells().stream().map(CountersHistoryTest::withoutNone).toList(),
                found.cellsOf(),
                found.standings(),
                found.members().stream().map(Set::copyOf).toList(),
                found.lookups());
    }

    private static Map<String, Cell> withoutNone(Map<String, Cell> cells) {
        Map<String, Cell> some = new HashMap<>(cells);
        some.values().removeIf(Cell.NONE::equals);
        return some;
    }
}
