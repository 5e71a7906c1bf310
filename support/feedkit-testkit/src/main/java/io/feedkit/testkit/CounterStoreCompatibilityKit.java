package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Counters;
import io.feedkit.counter.Views;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.Standing;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.Settlement;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Gaps;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.counter.AnnouncementRules;
import io.feedkit.testkit.internal.counter.CounterHistory;
import io.feedkit.testkit.internal.counter.HalfDoneCalls;
import io.feedkit.testkit.internal.counter.ReactionRules;
import io.feedkit.testkit.internal.counter.UserHistory;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.Conversations.Loaded;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link CounterStore} as tests. A backend binds it as shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class CounterStoreCompatibilityKit extends CompatibilityKit {

    private static final Owner ANN = new Owner(Space.TYPES, "ann");
    private static final CellKey LIKES = new CellKey(ANN, "like");

    private CounterStore store;

    /** For leaf tests. */
    protected CounterStoreCompatibilityKit() {}

    /**
     * Returns the store under test.
     *
     * @return the store, the same within a test
     */
    protected abstract CounterStore store();

    /**
     * How many random histories are compared with the in-memory store.
     *
     * @return 6, unless overridden
     */
    protected int histories() {
        return 6;
    }

    /**
     * How many further random histories the {@link Exhaustive} test compares.
     *
     * @return 20, unless overridden
     */
    protected int moreHistories() {
        return 20;
    }

    /**
     * Returns another store on the same data, with the same clock.
     *
     * @param operationsKept how long that store remembers operations
     * @return the store; empty unless overridden, for a store that shares its data with no other
     */
    protected Optional<CounterStore> keepingOperations(Duration operationsKept) {
        return Optional.empty();
    }

    /** Writes changes that a store behind a cache has not written yet. Does nothing unless overridden. */
    protected void flush() {}

    /**
     * Does work in a transaction, and ends it.
     *
     * @param committed whether it is committed; otherwise it is rolled back
     * @param work what to do with the store that joined the transaction
     */
    protected void inTransaction(boolean committed, Consumer<CounterStore> work) {
        if (committed) {
            work.accept(store());
        }
    }

    @BeforeEach
    void openStore() {
        store = store();
    }

    /** The store's clock, for the in-memory model. */
    private Clock clock() {
        InstantSource time = () -> Instant.ofEpochMilli(now());
        return time.withZone(ZoneOffset.UTC);
    }

    private Added add(CellKey key, long amount) {
        return store.add(List.of(new Add(key, amount, Optional.empty()))).get(0);
    }

    private Added add(CellKey key, long amount, String operation) {
        return store.add(List.of(new Add(key, amount, Optional.of(operation)))).get(0);
    }

    private Raised raise(CellKey key, long to, long by, When when) {
        return store.raise(List.of(new Raise(key, to, by, Optional.of(key.name()), when)))
                .get(0);
    }

    private OptionalLong put(Owner owner, String member, String label, OptionalLong number, Replaced replaced) {
        return store.put(List.of(new Put(owner, member, label, number, replaced)))
                .get(0);
    }

    private Cell cell(CellKey key) {
        return store.cell(key);
    }

    private static OptionalLong at(long number) {
        return OptionalLong.of(number);
    }

    @Nested
    @DisplayName("Sequences")
    class Sequences {

        @Test
        @DisplayName("hold the sum of what was added")
        void sum() {
            assertThat(cell(LIKES)).isEqualTo(Cell.NONE);
            assertThat(add(LIKES, 3)).isEqualTo(new Added(Outcome.ADDED, 3));
            assertThat(add(LIKES, -5)).isEqualTo(new Added(Outcome.ADDED, -2));
            assertThat(cell(LIKES)).isEqualTo(new Cell(-2, OptionalLong.empty()));
        }

        @Test
        @DisplayName("are changed in the order of the batch, and the answers have that order")
        void batch() {
            CellKey other = new CellKey(ANN, "comment");
            assertThat(store.add(List.of(
                            new Add(LIKES, 1, Optional.empty()),
                            new Add(other, 10, Optional.of("o")),
                            new Add(other, 10, Optional.of("o")),
                            new Add(LIKES, 2, Optional.empty()))))
                    .containsExactly(
                            new Added(Outcome.ADDED, 1),
                            new Added(Outcome.ADDED, 10),
                            new Added(Outcome.REPEATED, 10),
                            new Added(Outcome.ADDED, 3));
            assertThat(store.add(List.of())).isEmpty();
        }

        @Test
        @DisplayName("count an operation id once for each sequence")
        void once() {
            add(LIKES, 3, "o");
            add(LIKES, 1);
            assertThat(add(LIKES, 3, "o")).isEqualTo(new Added(Outcome.REPEATED, 4));
            assertThat(add(LIKES, 3, "O")).isEqualTo(new Added(Outcome.ADDED, 7));
            assertThat(add(new CellKey(ANN, "comment"), 3, "o")).isEqualTo(new Added(Outcome.ADDED, 3));
            assertThat(add(new CellKey(new Owner(Space.TYPES, "ben"), "like"), 3, "o"))
                    .isEqualTo(new Added(Outcome.ADDED, 3));
        }

        @Test
        @DisplayName("count a long operation id once, and retract by it")
        void longIds() {
            String uuid = "123e4567-e89b-12d3-a456-426614174000";
            String id = "like:" + uuid + ":" + uuid;
            Counters counters = Counters.of(store);
            counters.add("plays", "song", 1, id);
            counters.add("plays", "song", 1, id);
            counters.add("plays", Map.of("song", 1L, "other", 1L), id);
            counters.add("plays", "song", 1, id.substring(0, 64));
            counters.add("plays", "song", 1, id + "#2");
            assertThat(counters.get("plays", List.of("song", "other"))).containsExactly(3L, 1L);
            UnreadCounter unread = UnreadCounter.of(store);
            unread.add(List.of("ann"), "like", 1, id);
            unread.add(List.of("ann"), "like", 2, id + "#2");
            unread.remove("ann", "like", id);
            unread.remove("ann", "like", id);
            assertThat(unread.get("ann").total()).isEqualTo(2);
            counters.add("plays", "song", 1, "o".repeat(1000));
            assertThatThrownBy(() -> counters.add("plays", "song", 1, "o".repeat(1001)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("operation must have at most 1000 characters");
            assertThatThrownBy(() -> counters.add("plays", "song", 1, "o".repeat(100) + " "))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("operation must");
            assertThat(counters.get("plays", "song")).isEqualTo(4);
        }

        @Test
        @DisplayName("of many owners change in one call, except those that would overflow")
        void many() {
            List<String> ids = IntStream.range(0, 1500).mapToObj(i -> "c" + i).toList();
            Map<String, Long> amounts = new HashMap<>();
            ids.forEach(id -> amounts.put(id, (long) amounts.size() - 700));
            amounts.put("c700", 5L);
            Counters counters = Counters.of(store);
            counters.add("plays", amounts, "o");
            add(new CellKey(new Owner(Space.COUNTERS, "c1"), "plays"), Long.MAX_VALUE);
            assertThatThrownBy(() -> counters.add("plays", Map.of("c1", 1000L, "c2", 1L), "p"))
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessageContaining("c1");
            amounts.merge("c2", 1L, Long::sum);
            amounts.merge("c1", Long.MAX_VALUE, Long::sum);
            assertThat(counters.get("plays", ids))
                    .isEqualTo(ids.stream().map(amounts::get).toList());
        }

        @Test
        @DisplayName("remember operations for a day")
        void remembered() {
            add(LIKES, 3, "o");
            if (!waits()) {
                pass(Duration.ofHours(24).minusMinutes(1));
            }
            assertThat(add(LIKES, 3, "o").outcome()).isEqualTo(Outcome.REPEATED);
        }

        @Test
        @DisplayName("remember operations as long as the store that did them is set to, whatever the setting of other"
                + " stores")
        void otherSettings() {
            Optional<CounterStore> other = keepingOperations(Duration.ofHours(1));
            if (other.isEmpty() || waits()) {
                return;
            }
            add(LIKES, 3, "o");
            List<Long> tickets = store.openTickets(List.of(ANN));
            pass(Duration.ofHours(2));
            Add again = new Add(LIKES, 3, Optional.of("o"));
            CellKey comments = new CellKey(ANN, "comment");
            other.get().add(List.of(new Add(comments, 1, Optional.of("p"))));
            assertThat(other.get().add(List.of(again)).get(0).outcome()).isEqualTo(Outcome.REPEATED);
            assertThat(add(LIKES, 3, "o").outcome()).isEqualTo(Outcome.REPEATED);
            assertThat(other.get().redeem(List.of(new Redemption(LIKES, tickets.get(0), 1))))
                    .containsExactly(true);
            pass(Duration.ofMinutes(61));
            assertThat(add(comments, 1, "p").outcome()).isEqualTo(Outcome.ADDED);
            assertThat(add(LIKES, 3, "o").outcome()).isEqualTo(Outcome.REPEATED);
        }

        @Test
        @DisplayName("forget operations after a day, also if another operation was done while the clock was ahead")
        void clockAhead() {
            if (waits()) {
                return;
            }
            pass(Duration.ofDays(365));
            add(LIKES, 3, "ahead");
            pass(Duration.ofDays(-365));
            add(LIKES, 3, "o");
            pass(Duration.ofHours(25));
            assertThat(add(LIKES, 3, "o").outcome()).isEqualTo(Outcome.ADDED);
            assertThat(add(LIKES, 3, "ahead").outcome()).isEqualTo(Outcome.REPEATED);
        }

        @Test
        @DisplayName("refuse to overflow in either direction, and the operation can be repeated later")
        void overflow() {
            add(LIKES, Long.MAX_VALUE - 1);
            assertThat(add(LIKES, 2, "o")).isEqualTo(new Added(Outcome.OVERFLOW, Long.MAX_VALUE - 1));
            assertThat(add(LIKES, 1)).isEqualTo(new Added(Outcome.ADDED, Long.MAX_VALUE));
            add(LIKES, -5);
            assertThat(add(LIKES, 2, "o")).isEqualTo(new Added(Outcome.ADDED, Long.MAX_VALUE - 3));
            CellKey low = new CellKey(ANN, "low");
            add(low, Long.MIN_VALUE + 1);
            assertThat(add(low, -2)).isEqualTo(new Added(Outcome.OVERFLOW, Long.MIN_VALUE + 1));
            assertThat(add(low, -1)).isEqualTo(new Added(Outcome.ADDED, Long.MIN_VALUE));
        }

        @Test
        @DisplayName("lose nothing when many threads add, and count an operation of all of them once")
        void concurrently() {
            Race.run(threads(), thread -> {
                for (int i = 0; i < rounds(); i++) {
                    add(LIKES, 1);
                    add(LIKES, 1000, "o" + i);
                }
                return thread;
            });
            assertThat(cell(LIKES).count()).isEqualTo((long) threads() * rounds() + 1000L * rounds());
        }

        @Test
        @DisplayName("of one owner are distinguished by the exact name")
        void names() {
            AWKWARD_IDS.forEach(name -> add(new CellKey(ANN, name), 1));
            assertThat(store.cells(List.of(ANN)).get(0))
                    .containsOnlyKeys(AWKWARD_IDS)
                    .allSatisfy((name, cell) -> assertThat(cell.count()).isOne());
        }

        @Test
        @DisplayName("of different spaces, owners and names are separate")
        void apart() {
            for (Space space : Space.values()) {
                for (String id : AWKWARD_IDS) {
                    add(new CellKey(new Owner(space, id), ""), 1);
                    add(new CellKey(new Owner(space, id), id), 2);
                }
            }
            for (Space space : Space.values()) {
                for (String id : AWKWARD_IDS) {
                    assertThat(store.cells(List.of(new Owner(space, id))).get(0))
                            .isEqualTo(Map.of(
                                    "", new Cell(1, OptionalLong.empty()), id, new Cell(2, OptionalLong.empty())));
                }
            }
        }
    }

    @Nested
    @DisplayName("Retracted operations")
    class Retractions {

        private UnreadCounter unread() {
            return UnreadCounter.of(store);
        }

        private void add(String operation, long amount) {
            unread().add(List.of("ann"), "message", amount, operation);
        }

        private void remove(String operation) {
            unread().remove("ann", "message", operation);
        }

        private long total() {
            return unread().get("ann").total();
        }

        @Test
        @DisplayName("lower the count only if they were not seen before")
        void ofTheOneThatWent() {
            add("m1", 1);
            unread().markSeen("ann", unread().get("ann").counted());
            add("m2", 1);
            remove("m1");
            assertThat(total()).isEqualTo(1);
            add("m3", 5);
            remove("m2");
            assertThat(total()).isEqualTo(5);
            remove("m3");
            assertThat(total()).isZero();
        }

        @Test
        @DisplayName("are retracted once, also by repeated calls, and also if the retraction comes first")
        void once() {
            add("m1", 2);
            add("m2", 2);
            remove("m1");
            remove("m1");
            add("m1", 2);
            assertThat(total()).isEqualTo(2);
            remove("m3");
            add("m3", 2);
            assertThat(total()).isEqualTo(2);
            Race.run(threads(), thread -> {
                remove("m2");
                return thread;
            });
            assertThat(total()).isZero();
        }

        @Test
        @DisplayName("do not hide later operations when the client reports counts that it read before the retraction")
        void shownBefore() {
            add("m1", 1);
            UnreadCounts shown = unread().get("ann");
            add("m2", 1);
            add("m3", 1);
            remove("m2");
            unread().markSeen("ann", shown.counted());
            assertThat(total()).isEqualTo(1);
            remove("m3");
            assertThat(total()).isZero();
            add("m4", 1);
            assertThat(total()).isEqualTo(1);
        }

        @Test
        @DisplayName("do not change amounts without an operation id, or those of other types and users")
        void others() {
            unread().add(List.of("ann", "ben"), "message", 3);
            unread().add(List.of("ann", "ben"), "message", 1, "m1");
            unread().add(List.of("ann"), "like", 1, "m1");
            remove("m1");
            assertThat(unread().get("ann").byType()).isEqualTo(Map.of("message", 3L, "like", 1L));
            assertThat(unread().get("ben").total()).isEqualTo(4);
            assertThat(unread().remove("ann", "message", 7)).isEqualTo(3);
            assertThat(unread().get("ann").byType()).isEqualTo(Map.of("like", 1L));
        }

        @Test
        @DisplayName("change nothing if their owner was deleted before the retraction")
        void forgotten() {
            for (int i = 0; i < 5; i++) {
                add("m" + i, 1);
            }
            unread().forget(List.of("ann"));
            add("n", 9);
            for (int i = 0; i < 5; i++) {
                remove("m" + i);
            }
            assertThat(total()).isEqualTo(9);
        }

        @Test
        @DisplayName("may be very numerous")
        void many() {
            int many = 5 * Gaps.MOST;
            for (int i = 0; i < many; i++) {
                add("m" + i, 1 + i % 3);
            }
            long left = total();
            for (int i = 0; i < many; i += 2) {
                remove("m" + i);
                left -= 1 + i % 3;
                assertThat(total()).isEqualTo(left);
            }
            unread().markSeen("ann", unread().get("ann").counted());
            add("n", 1);
            assertThat(total()).isEqualTo(1);
            assertThat(store.cells(List.of(ANN)).get(0).values())
                    .allMatch(cell -> cell.gaps().all().isEmpty());
        }

        @Test
        @DisplayName("are remembered for a day, as operations are")
        void remembered() {
            add("m1", 1);
            remove("m2");
            if (!waits()) {
                pass(Duration.ofHours(24).minusMinutes(1));
            }
            remove("m1");
            add("m2", 1);
            assertThat(total()).isZero();
        }
    }

    @Nested
    @DisplayName("Sequences whose mark is required")
    class MarkedSequences {

        private final Owner talk = new Owner(Space.CONVERSATION, "c");
        private final CellKey numbers = new CellKey(talk, "");
        private final CellKey ben = new CellKey(talk, "ben");

        private Added send(Optional<String> operation) {
            return store.add(List.of(new Add(numbers, 1, operation, Optional.of("ben"))))
                    .get(0);
        }

        @Test
        @DisplayName("raise the mark to the sum, and change nothing if the mark is missing")
        void raised() {
            assertThat(send(Optional.of("o"))).isEqualTo(new Added(Outcome.UNMARKED, 0));
            assertThat(store.cells(List.of(talk)).get(0)).doesNotContainKey("ben");
            add(numbers, 4);
            store.raise(List.of(new Raise(ben, 2, 0, Optional.of(""), When.ALWAYS)));
            assertThat(send(Optional.of("o"))).isEqualTo(new Added(Outcome.ADDED, 5));
            assertThat(cell(ben)).isEqualTo(new Cell(0, at(5)));
            assertThat(send(Optional.of("o"))).isEqualTo(new Added(Outcome.REPEATED, 5));
            assertThat(send(Optional.empty())).isEqualTo(new Added(Outcome.ADDED, 6));
            store.removeCells(List.of(ben));
            assertThat(send(Optional.empty())).isEqualTo(new Added(Outcome.UNMARKED, 6));
            assertThat(cell(ben)).isEqualTo(Cell.NONE);
        }

        @Test
        @DisplayName("give each of many concurrent senders a different number, and set each mark to the sender's last")
        void concurrently() {
            for (int thread = 0; thread < threads(); thread++) {
                CellKey sender = new CellKey(talk, "s" + thread);
                store.raise(List.of(new Raise(sender, 0, 0, Optional.of(""), When.ABSENT)));
            }
            for (int i = 0; i < rounds(); i++) {
                List<Added> sent = Race.run(
                        threads(),
                        thread -> store.add(List.of(new Add(numbers, 1, Optional.empty(), Optional.of("s" + thread))))
                                .get(0));
                assertThat(sent).extracting(Added::count).doesNotHaveDuplicates();
                for (int thread = 0; thread < threads(); thread++) {
                    assertThat(cell(new CellKey(talk, "s" + thread)).mark())
                            .hasValue(sent.get(thread).count());
                }
            }
            assertThat(cell(numbers).count()).isEqualTo((long) rounds() * threads());
        }
    }

    @Nested
    @DisplayName("Reading")
    class Reading {

        @Test
        @DisplayName("answers all kinds of requests in one call, in the order of the requests")
        void together() {
            Owner talk = new Owner(Space.CONVERSATION, "c");
            Owner set = new Owner(Space.ANNOUNCEMENTS, "all");
            add(LIKES, 3);
            add(new CellKey(ANN, "mention"), 2);
            add(new CellKey(talk, ""), 9);
            CellKey ben = new CellKey(talk, "ben");
            store.raise(List.of(new Raise(ben, 4, 0, Optional.of(""), When.ALWAYS)));
            put(talk, "6", "", at(6), Replaced.NONE);
            put(set, "a", "*", OptionalLong.empty(), Replaced.NONE);
            put(set, "b", "seg", OptionalLong.empty(), Replaced.NONE);
            Found found = store.read(new Wanted(
                    List.of(new Owner(Space.TYPES, "nobody"), ANN, ANN),
                    List.of(ben, LIKES, new CellKey(ANN, "none"), LIKES),
                    List.of(new CellKey(talk, "who"), ben, ben),
                    List.of(set, ANN),
                    List.of(
                            new Lookup(set, List.of("b", "c")),
                            new Lookup(ANN, List.of("a")),
                            new Lookup(set, List.of("a", "b")),
                            new Lookup(set, List.of()))));
            Map<String, Cell> cells =
                    Map.of("like", new Cell(3, OptionalLong.empty()), "mention", new Cell(2, OptionalLong.empty()));
            assertThat(found.cells()).containsExactly(Map.of(), cells, cells);
            Cell read = new Cell(0, at(4));
            assertThat(found.cellsOf())
                    .containsExactly(
                            read, new Cell(3, OptionalLong.empty()), Cell.NONE, new Cell(3, OptionalLong.empty()));
            Standing standing = new Standing(new Cell(9, at(4)), 1);
            assertThat(found.standings())
                    .containsExactly(new Standing(new Cell(9, OptionalLong.empty()), 0), standing, standing);
            Member first = new Member("a", "*", 1, true);
            Member second = new Member("b", "seg", 2, true);
            assertThat(found.members()).hasSize(2);
            assertThat(found.members().get(0)).containsExactlyInAnyOrder(first, second);
            assertThat(found.members().get(1)).isEmpty();
            assertThat(found.lookups())
                    .containsExactly(Map.of("b", second), Map.of(), Map.of("a", first, "b", second), Map.of());
        }

        @Test
        @DisplayName("answers an empty request with empty lists")
        void nothing() {
            assertThat(store.read(Wanted.NOTHING))
                    .isEqualTo(new Found(List.of(), List.of(), List.of(), List.of(), List.of()));
        }
    }

    @Nested
    @DisplayName("Marks")
    class Marks {

        @Test
        @DisplayName("rise, and never fall")
        void rise() {
            add(LIKES, 10);
            assertThat(raise(LIKES, 4, 0, When.ALWAYS)).isEqualTo(new Raised(OptionalLong.empty(), at(4)));
            assertThat(raise(LIKES, 2, 0, When.ALWAYS)).isEqualTo(new Raised(at(4), at(4)));
            assertThat(raise(LIKES, 4, 0, When.ALWAYS)).isEqualTo(new Raised(at(4), at(4)));
            assertThat(cell(LIKES)).isEqualTo(new Cell(10, at(4)));
        }

        @Test
        @DisplayName("are not created for a sequence that is empty or negative, unless only missing marks are raised")
        void nothing() {
            Raised none = new Raised(OptionalLong.empty(), OptionalLong.empty());
            assertThat(raise(LIKES, 3, 0, When.ALWAYS)).isEqualTo(none);
            assertThat(raise(LIKES, 0, 3, When.ALWAYS)).isEqualTo(none);
            assertThat(store.cells(List.of(ANN)).get(0)).isEmpty();
            add(LIKES, -1);
            assertThat(raise(LIKES, 3, 0, When.ALWAYS)).isEqualTo(none);
            assertThat(raise(LIKES, 3, 0, When.ABSENT).after()).isEqualTo(at(0));
        }

        @Test
        @DisplayName("never exceed the sequence")
        void bounded() {
            add(LIKES, 10);
            assertThat(raise(LIKES, Long.MAX_VALUE, 0, When.ALWAYS).after()).isEqualTo(at(10));
            add(LIKES, 5);
            assertThat(raise(LIKES, 0, 2, When.ALWAYS).after()).isEqualTo(at(12));
            assertThat(raise(LIKES, 0, Long.MAX_VALUE, When.ALWAYS).after()).isEqualTo(at(15));
            assertThat(raise(LIKES, Long.MAX_VALUE, Long.MAX_VALUE, When.ALWAYS).after())
                    .isEqualTo(at(15));
        }

        @Test
        @DisplayName("without a bound rise to the requested number")
        void unbounded() {
            assertThat(store.raise(List.of(new Raise(LIKES, 7, 0, Optional.empty(), When.ALWAYS)))
                            .get(0)
                            .after())
                    .isEqualTo(at(7));
        }

        @Test
        @DisplayName("are raised only if present, or only if absent, on request")
        void when() {
            add(LIKES, 10);
            assertThat(raise(LIKES, 4, 0, When.PRESENT))
                    .isEqualTo(new Raised(OptionalLong.empty(), OptionalLong.empty()));
            assertThat(raise(LIKES, 4, 0, When.ABSENT)).isEqualTo(new Raised(OptionalLong.empty(), at(4)));
            assertThat(raise(LIKES, 6, 0, When.ABSENT)).isEqualTo(new Raised(at(4), at(4)));
            assertThat(raise(LIKES, 6, 0, When.PRESENT)).isEqualTo(new Raised(at(4), at(6)));
            store.removeCells(List.of(LIKES));
            assertThat(cell(LIKES)).isEqualTo(Cell.NONE);
            assertThat(raise(LIKES, 4, 0, When.PRESENT).after()).isEmpty();
        }

        @Test
        @DisplayName("raised by many threads rise by the sum")
        void concurrently() {
            add(LIKES, 1_000_000);
            Race.run(threads(), thread -> {
                for (int i = 0; i < rounds(); i++) {
                    raise(LIKES, 0, 1, When.ALWAYS);
                }
                return thread;
            });
            assertThat(cell(LIKES).mark()).isEqualTo(at((long) threads() * rounds()));
        }

        @Test
        @DisplayName("are compared with the sequence and the members of their owner")
        void standings() {
            Owner conversation = new Owner(Space.CONVERSATION, "c");
            CellKey ben = new CellKey(conversation, "ben");
            add(new CellKey(conversation, ""), 10);
            List.of(2L, 4L, 5L, 9L)
                    .forEach(n -> put(conversation, Long.toString(n), "", OptionalLong.of(n), Replaced.NONE));
            assertThat(store.standings(List.of(ben)))
                    .containsExactly(new Standing(new Cell(10, OptionalLong.empty()), 0));
            store.raise(List.of(new Raise(ben, 4, 0, Optional.of(""), When.ALWAYS)));
            CellKey nothing = new CellKey(new Owner(Space.CONVERSATION, "d"), "ben");
            assertThat(store.standings(List.of(nothing, ben, ben)))
                    .containsExactly(
                            new Standing(Cell.NONE, 0),
                            new Standing(new Cell(10, at(4)), 2),
                            new Standing(new Cell(10, at(4)), 2));
        }
    }

    @Nested
    @DisplayName("Members")
    class Members {

        private final Owner list = new Owner(Space.ANNOUNCEMENTS, "all");

        @Test
        @DisplayName("are put once, and get the next number in the same step")
        void numbered() {
            assertThat(put(list, "a", "vip", OptionalLong.empty(), Replaced.NONE))
                    .isEqualTo(at(1));
            assertThat(put(list, "a", "*", OptionalLong.empty(), Replaced.NONE)).isEmpty();
            assertThat(put(list, "b", "*", OptionalLong.empty(), Replaced.NONE)).isEqualTo(at(2));
            assertThat(cell(new CellKey(list, "")).count()).isEqualTo(2);
            assertThat(store.members(list))
                    .containsExactlyInAnyOrder(new Member("a", "vip", 1, true), new Member("b", "*", 2, true));
        }

        @Test
        @DisplayName("are put again if their number is low enough to be replaced, or under a higher label")
        void again() {
            Replaced upTo50 = new Replaced(at(50));
            assertThat(put(list, "a", "1", at(50), upTo50)).isEqualTo(at(50));
            assertThat(put(list, "a", "1", at(60), upTo50)).isEqualTo(at(60));
            assertThat(put(list, "a", "1", at(70), upTo50)).isEmpty();
            assertThat(put(list, "a", "2", at(70), upTo50)).isEqualTo(at(70));
            assertThat(store.membersOf(list, List.of("a", "b"))).isEqualTo(Map.of("a", new Member("a", "2", 70, true)));
        }

        @Test
        @DisplayName("are not replaced under a lower label: a shorter one, or the first of two in order")
        void lowerLabels() {
            Replaced any = new Replaced(at(Long.MAX_VALUE));
            for (List<String> labels : List.of(
                    List.of("0", "1"), List.of("9", "10"), List.of("", "0"), List.of("*", "0"), List.of("0", "0+"))) {
                String low = labels.get(0);
                String high = labels.get(1);
                String name = "of" + low + high;
                assertThat(put(list, name, low, at(7), any)).isEqualTo(at(7));
                assertThat(put(list, name, high, at(5), any)).isEqualTo(at(5));
                assertThat(put(list, name, low, at(9), any)).isEmpty();
                assertThat(put(list, name, high, at(6), new Replaced(at(4)))).isEmpty();
                assertThat(store.membersOf(list, List.of(name))).containsValue(new Member(name, high, 5, true));
            }
        }

        @Test
        @DisplayName("are put by only one of many threads")
        void concurrently() {
            List<Boolean> put = Race.run(
                    threads(),
                    thread -> put(list, "a", "*", OptionalLong.empty(), Replaced.NONE)
                            .isPresent());
            assertThat(put).containsOnlyOnce(true);
            assertThat(cell(new CellKey(list, "")).count()).isEqualTo(1);
        }

        @Test
        @DisplayName("get another label and keep their numbers")
        void relabelled() {
            put(list, "a", "*", at(7), Replaced.NONE);
            store.relabel(list, "a", "gone");
            store.relabel(list, "b", "gone");
            assertThat(store.members(list)).containsExactly(new Member("a", "gone", 7, true));
        }

        @Test
        @DisplayName("are removed")
        void removed() {
            put(list, "a", "*", at(7), Replaced.NONE);
            assertThat(store.removeMembers(list, List.of("a", "b"))).containsExactly(true, false);
            assertThat(store.members(list)).isEmpty();
        }
    }

    @Nested
    @DisplayName("Tickets")
    class Tickets {

        private final Owner post = new Owner(Space.POSTS, "p");
        private final CellKey count = new CellKey(post, "0");

        private long open() {
            return store.openTickets(List.of(post)).get(0);
        }

        private boolean redeem(long ticket, long amount) {
            return store.redeem(List.of(new Redemption(count, ticket, amount))).get(0);
        }

        @Test
        @DisplayName("have different numbers")
        void distinct() {
            assertThat(List.of(open(), open(), open())).doesNotHaveDuplicates().allMatch(ticket -> ticket > 0);
        }

        @Test
        @DisplayName("count once, however often they are redeemed, and never if they were not opened")
        void once() {
            long ticket = open();
            long other = open();
            assertThat(redeem(ticket, 1)).isTrue();
            assertThat(redeem(ticket, 1)).isFalse();
            assertThat(redeem(other ^ (1L << 40), 1)).isFalse();
            assertThat(cell(count).count()).isEqualTo(1);
            assertThat(redeem(other, 0)).isTrue();
            assertThat(redeem(other, 1)).isFalse();
            assertThat(cell(count).count()).isEqualTo(1);
        }

        @Test
        @DisplayName("count once within a batch, and each for its own owner")
        void batch() {
            Owner second = new Owner(Space.POSTS, "q");
            List<Long> tickets = store.openTickets(List.of(post, second, post));
            assertThat(store.redeem(List.of(
                            new Redemption(count, tickets.get(0), 1),
                            new Redemption(count, tickets.get(1), 1),
                            new Redemption(new CellKey(second, "0"), tickets.get(1), 7),
                            new Redemption(count, tickets.get(0), 1),
                            new Redemption(count, tickets.get(2), -3))))
                    .containsExactly(true, false, true, false, true);
            assertThat(cell(count).count()).isEqualTo(-2);
            assertThat(cell(new CellKey(second, "0")).count()).isEqualTo(7);
        }

        @Test
        @DisplayName("stay open when their owner is deleted")
        void forgotten() {
            long ticket = open();
            store.forget(List.of(post));
            assertThat(redeem(ticket, 1)).isTrue();
            assertThat(redeem(ticket, 1)).isFalse();
            assertThat(cell(count).count()).isEqualTo(1);
        }

        @Test
        @DisplayName("count once when many threads redeem them")
        void concurrently() {
            for (int i = 0; i < rounds(); i++) {
                long ticket = open();
                assertThat(Race.run(threads(), thread -> redeem(ticket, 1))).containsOnlyOnce(true);
            }
            assertThat(cell(count).count()).isEqualTo(rounds());
        }
    }

    @Nested
    @DisplayName("Turns")
    class Turns {

        private final Owner ann = new Owner(Space.REACTIONS, "ann");

        private Optional<Member> turn(@Nullable String from, String to, long ticket) {
            return store.turn(List.of(new Turn(ann, "p", Optional.ofNullable(from), to, ticket)))
                    .get(0);
        }

        private static Optional<Member> unsettled(String label, long ticket) {
            return Optional.of(new Member("p", label, ticket, false));
        }

        @Test
        @DisplayName("do not change until they are settled")
        void untilSettled() {
            assertThat(turn(null, "+", 5)).isEqualTo(unsettled("+", 5));
            assertThat(turn("+", "-", 6)).isEqualTo(unsettled("+", 5));
            assertThat(turn(null, "+", 7)).isEqualTo(unsettled("+", 5));
            store.settle(List.of(new Settlement(ann, new Member("p", "+", 4, false), true)));
            assertThat(turn("+", "-", 8)).isEqualTo(unsettled("+", 5));
            store.settle(List.of(new Settlement(ann, new Member("p", "+", 5, false), false)));
            assertThat(store.membersOf(ann, List.of("p"))).containsValue(new Member("p", "+", 5, true));
            assertThat(turn("+", "-", 9)).isEqualTo(unsettled("-", 9));
            store.settle(List.of(new Settlement(ann, new Member("p", "+", 5, true), true)));
            assertThat(turn("-", "+", 10)).isEqualTo(unsettled("-", 9));
            store.settle(List.of(new Settlement(ann, new Member("p", "-", 9, false), true)));
            assertThat(store.membersOf(ann, List.of("p"))).isEmpty();
        }

        @Test
        @DisplayName("begin only if the member has the expected label")
        void from() {
            assertThat(turn("+", "-", 1)).isEmpty();
            assertThat(turn(null, "+", 2)).isEqualTo(unsettled("+", 2));
            Member settled = new Member("p", "+", 2, true);
            store.settle(List.of(new Settlement(ann, settled, false)));
            assertThat(turn(null, "-", 3)).contains(settled);
            assertThat(turn("-", "-", 4)).contains(settled);
            assertThat(turn("+", "+", 5)).isEqualTo(unsettled("+", 5));
        }

        @Test
        @DisplayName("are taken by only one of many threads")
        void concurrently() {
            String from = null;
            for (int i = 0; i < rounds(); i++) {
                String before = from;
                String to = Integer.toString(i);
                List<Optional<Member>> turned = Race.run(threads(), thread -> turn(before, to, thread + 1L));
                assertThat(turned).containsOnly(turned.get(0));
                store.settle(List.of(new Settlement(ann, turned.get(0).orElseThrow(), false)));
                from = to;
            }
        }
    }

    @Nested
    @DisplayName("Reactions")
    class Reacted {

        private ReactionRules rules() {
            return new ReactionRules(store, threads());
        }

        @Test
        @DisplayName("are new for only one of several calls")
        void answers() {
            rules().answers();
        }

        @Test
        @DisplayName("of an interrupted call are new for the call that finishes it")
        void halfDone() {
            rules().answersOfCallsThatWereCutOff();
        }

        @Test
        @DisplayName("are shown with the newest users of a post, up to a bound")
        void newest() {
            rules().newest();
        }

        @Test
        @DisplayName("that were removed are not shown, also if the first call was interrupted")
        void newestHalfDone() {
            rules().newestOfCallsThatWereCutOff();
        }

        @Test
        @DisplayName("leave no data if the post's counts are deleted meanwhile")
        void forgottenMeanwhile() {
            rules().forgottenMeanwhile();
        }

        @Test
        @DisplayName("of a user are read in pages, the newest first")
        void pages() {
            rules().pages();
        }

        @Test
        @DisplayName("of a user are each on exactly one page, whatever changes during the walk")
        void pagesMeanwhile() {
            rules().pagesMeanwhile();
        }

        @Test
        @DisplayName("that exclude each other change in one step")
        void exclusive() {
            rules().exclusive();
        }

        @Test
        @DisplayName("have counts and lists that agree after concurrent changes")
        void together() {
            rules().together(rounds());
        }
    }

    @Nested
    @DisplayName("Announcements")
    class Announced {

        @Test
        @DisplayName("count until their end, and are removed a day later")
        void ends() {
            new AnnouncementRules(store).ends();
        }

        @Test
        @DisplayName("after the user's mark are counted")
        void sinceTheMark() {
            new AnnouncementRules(store).sinceTheMark();
        }
    }

    @Nested
    @DisplayName("Random histories")
    class Histories {

        private static final int STEPS = 80;

        private final CounterStore model = InMemoryCounterStore.create(clock());

        @Test
        @DisplayName("give the same answers as the in-memory store")
        void some() {
            compare(0, histories());
        }

        @Exhaustive
        @Test
        @DisplayName("give the same answers as the in-memory store, in many histories")
        void many() {
            compare(histories(), histories() + moreHistories());
        }

        private void passes(Duration time) {
            if (!waits()) {
                pass(time);
            }
        }

        private final UserHistory.Host host = new UserHistory.Host() {
            @Override
            public CounterStore store() {
                return store;
            }

            @Override
            public void flush() {
                CounterStoreCompatibilityKit.this.flush();
            }

            @Override
            public void inTransaction(boolean committed, Consumer<CounterStore> work) {
                CounterStoreCompatibilityKit.this.inTransaction(committed, work);
            }

            @Override
            public void pass(Duration time) {
                passes(time);
            }

            @Override
            public Clock clock() {
                return CounterStoreCompatibilityKit.this.clock();
            }
        };

        private void compare(int from, int below) {
            for (int seed = from; seed < below; seed++) {
                try {
                    new CounterHistory(store, model, this::passes, seed).run(STEPS);
                    new UserHistory(host, model, seed).run(STEPS);
                } catch (RuntimeException | AssertionError failure) {
                    throw new AssertionError("history with seed " + seed, failure);
                }
            }
        }
    }

    @Nested
    @DisplayName("Views")
    class Viewed {

        private static final Duration WINDOW = Duration.ofHours(1);

        private boolean view(Duration ahead) {
            return Views.of(store, WINDOW, Clock.offset(clock(), ahead)).add("ann", "p");
        }

        @Test
        @DisplayName("count again, once, after a view of a clock that was far ahead")
        void clockAhead() {
            assertThat(view(Duration.ofDays(365))).isTrue();
            flush();
            assertThat(view(Duration.ZERO)).isTrue();
            flush();
            assertThat(view(Duration.ZERO)).isFalse();
            assertThat(view(Duration.ofMinutes(-59))).isFalse();
            assertThat(view(Duration.ofMinutes(59))).isFalse();
            assertThat(view(Duration.ofMinutes(61))).isTrue();
            assertThat(Views.of(store, WINDOW, clock()).get(List.of("p"))).containsExactly(3L);
        }

        @Test
        @DisplayName("count again after a view of a clock that was far ahead, also if that view is not written yet")
        void clockAheadUnwritten() {
            assertThat(view(Duration.ofDays(365))).isTrue();
            assertThat(view(Duration.ZERO)).isTrue();
            flush();
            assertThat(view(Duration.ZERO)).isFalse();
        }
    }

    @Nested
    @DisplayName("Conversations at the highest numbers")
    class LastNumbers {

        @Test
        @DisplayName("never give two messages the same number")
        void last() {
            Conversations talks = Conversations.of(store);
            talks.load(List.of(new Loaded("talk", Conversations.MAX_LOADED, Map.of("ann", 3L))));
            assertThat(talks.add("talk", "ann")).isEqualTo(Conversations.MAX_LOADED + 1);
            assertThat(talks.add("talk", "ann")).isEqualTo(Conversations.MAX_LOADED + 2);
            CellKey numbers = new CellKey(new Owner(Space.CONVERSATION, "talk"), "");
            add(numbers, Long.MAX_VALUE - Conversations.MAX_LOADED - 3);
            assertThat(talks.add("talk", "ann")).isEqualTo(Long.MAX_VALUE);
            assertThatThrownBy(() -> talks.add("talk", "ann"))
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessageContaining("talk");
            assertThat(talks.last("talk")).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Nested
    @DisplayName("Calls of several steps")
    class SeveralSteps {

        @Test
        @DisplayName("report an unknown outcome if a later step fails; repeating the call finishes it")
        void halfDone() {
            new HalfDoneCalls(store).run();
        }
    }

    @Nested
    @DisplayName("Owners")
    class Owners {

        @Test
        @DisplayName("are deleted with their cells and members, without those of other owners; operations stay known")
        void forgotten() {
            Owner ben = new Owner(Space.TYPES, "ben");
            Owner other = new Owner(Space.REACTIONS, "ann");
            for (Owner owner : List.of(ANN, ben, other)) {
                add(new CellKey(owner, "like"), 3, "o");
                put(owner, "a", "*", at(7), Replaced.NONE);
            }
            store.forget(List.of(ANN, new Owner(Space.TYPES, "nobody")));
            store.forget(List.of(ANN));
            assertThat(store.cells(List.of(ANN))).containsExactly(Map.of());
            assertThat(store.members(ANN)).isEmpty();
            assertThat(add(LIKES, 3, "o").outcome()).isEqualTo(Outcome.REPEATED);
            assertThat(add(LIKES, 3, "p").count()).isEqualTo(3);
            for (Owner owner : List.of(ben, other)) {
                assertThat(cell(new CellKey(owner, "like")).count()).isEqualTo(3);
                assertThat(store.members(owner)).hasSize(1);
            }
        }

        @Test
        @DisplayName("do not expire")
        void last() {
            add(LIKES, 3);
            raise(LIKES, 1, 0, When.ALWAYS);
            put(ANN, "a", "*", at(7), Replaced.NONE);
            pass(longTime());
            assertThat(cell(LIKES)).isEqualTo(new Cell(3, at(1)));
            assertThat(store.members(ANN)).hasSize(1);
        }
    }
}
