package io.feedkit.jdbc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testkit.internal.Race;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.UnreadCounter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Counters in a transaction of the host's")
class CountersInTransactionTest {

    private static final int SENDERS = 4;
    private static final int MESSAGES = 10;

    private final Kind kind;
    private final TestDatabase database;
    private final JdbcCounterStore store;

    CountersInTransactionTest(Kind kind) {
        this.kind = kind;
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.create(database.dataSource());
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    /** Work in a transaction with an isolation. */
    private interface Work {
        void run(CounterStore joined) throws SQLException;
    }

    private void inTransaction(int isolation, boolean committed, Work work) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            int before = connection.getTransactionIsolation();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            work.run(store.in(JdbcTransaction.of(connection)));
            if (committed) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setTransactionIsolation(before);
            connection.setAutoCommit(true);
        }
    }

    private static void everything(CounterStore joined) {
        FeedCounters counters = FeedCounters.of(joined);
        counters.unread().add(List.of("ann", "ben"), "mention", 2, "op");
        counters.conversations().join("talk", "ann");
        counters.conversations().add("talk", "ann");
        counters.plain().add("shares", "p", 5);
        counters.likes().add("ann", "p");
    }

    @Test
    @DisplayName("take effect if the host commits, and are visible in the transaction before")
    void committed() throws SQLException {
        for (boolean committed : new boolean[] {false, true}) {
            inTransaction(Connection.TRANSACTION_READ_COMMITTED, committed, joined -> {
                everything(joined);
                assertThat(UnreadCounter.of(joined).get("ben").total()).isEqualTo(2);
                assertThat(Reactions.of(joined).get(List.of("p"))).containsExactly(1L);
            });
            long times = committed ? 1 : 0;
            assertThat(UnreadCounter.of(store).get("ann").total()).isEqualTo(2 * times);
            assertThat(Counters.of(store).get("shares", "p")).isEqualTo(5 * times);
            assertThat(Reactions.of(store).reacted("ann", List.of("p"))).hasSize((int) times);
        }
        UnreadCounter.of(store).add(List.of("ann"), "mention", 2, "op");
        assertThat(UnreadCounter.of(store).get("ann").total()).isEqualTo(2);
        assertThat(Conversations.of(store).add("talk", "ann")).isEqualTo(2);
    }

    @Test
    @DisplayName("read, at every isolation, what was committed before their lock")
    void isolation() throws SQLException {
        Conversations.of(store).join("talk", "ann");
        inTransaction(Connection.TRANSACTION_REPEATABLE_READ, true, joined -> {
            assertThat(Conversations.of(joined).add("talk", "ann")).isEqualTo(1);
            Reactions.of(joined).add("ann", "p");
        });
        Reactions.of(store).add("ben", "p");
        assertThat(Reactions.of(store).get(List.of("p"))).containsExactly(2L);
    }

    @Test
    @DisplayName("like and unlike after other users did so since the snapshot, or fail with the database")
    void reactedSinceTheSnapshot() throws SQLException {
        Reactions likes = Reactions.of(store);
        likes.add("ben", "p");
        Work work = joined -> {
            Reactions mine = Reactions.of(joined);
            assertThat(mine.get(List.of("p"))).containsExactly(1L);
            likes.add("ann", "p");
            likes.remove("ben", "p");
            mine.add("ann", "p");
            mine.remove("ben", "p");
        };
        if (kind == Kind.POSTGRESQL) {
            // PostgreSQL refuses to lock rows that have changed since the snapshot.
            assertThatThrownBy(() -> inTransaction(Connection.TRANSACTION_REPEATABLE_READ, true, work))
                    .isInstanceOf(StoreUnavailableException.class);
        } else {
            inTransaction(Connection.TRANSACTION_REPEATABLE_READ, true, work);
        }
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
        assertThat(likes.reacted("ann", List.of("p"))).containsExactly("p");
        assertThat(likes.reacted("ben", List.of("p"))).isEmpty();
    }

    @Test
    @DisplayName("leave nobody in the list of a post that another call forgets before the commit")
    void forgottenBeforeTheCommit() throws Exception {
        Reactions likes = Reactions.of(store);
        AtomicReference<CompletableFuture<Void>> forgotten = new AtomicReference<>();
        inTransaction(Connection.TRANSACTION_READ_COMMITTED, true, joined -> {
            Reactions.of(joined).add("ann", "p");
            forgotten.set(CompletableFuture.runAsync(() -> likes.forgetPost("p")));
            // The call waits for this transaction. A call that did not wait would have ended by then.
            assertThatThrownBy(() -> forgotten.get().get(300, MILLISECONDS)).isInstanceOf(TimeoutException.class);
        });
        forgotten.get().get(30, SECONDS);
        CellKey old = new CellKey(new Owner(Space.POSTS, "p"), "+like/0");
        Found found = store.read(Wanted.NOTHING.withCellsOf(List.of(old)).withNewest(List.of(new NewestOf(old, 10))));
        assertThat(found.cellsOf()).containsExactly(Cell.NONE);
        assertThat(found.newest().get(0).names()).isEmpty();
        assertThat(likes.add("ben", "p")).isTrue();
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
    }

    @Test
    @DisplayName("give each message its own number, without gaps for transactions that rolled back")
    void numbers() {
        for (int i = 0; i < SENDERS; i++) {
            Conversations.of(store).join("talk", "s" + i);
        }
        List<List<Long>> added = Race.run(
                SENDERS,
                thread -> LongStream.range(0, MESSAGES)
                        .map(i -> {
                            long[] number = new long[1];
                            boolean committed = i % 3 != 0;
                            try {
                                inTransaction(
                                        Connection.TRANSACTION_READ_COMMITTED,
                                        committed,
                                        joined -> number[0] =
                                                Conversations.of(joined).add("talk", "s" + thread));
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                            return committed ? number[0] : 0;
                        })
                        .filter(number -> number > 0)
                        .boxed()
                        .toList());
        List<Long> all = added.stream().flatMap(List::stream).sorted().toList();
        assertThat(all)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, all.size()).boxed().toList());
    }

    @Test
    @DisplayName("are refused on a connection with autocommit, also if it is switched on later, and one that is closed")
    void autocommit() throws SQLException {
        CounterStore joined;
        JdbcTransaction closed;
        try (Connection connection = database.dataSource().getConnection()) {
            JdbcTransaction transaction = JdbcTransaction.of(connection);
            closed = transaction;
            connection.setAutoCommit(true);
            assertRefused("autocommit on", () -> store.in(transaction));
            connection.setAutoCommit(false);
            joined = store.in(transaction);
            Counters.of(joined).add("shares", "p", 5);
            connection.setAutoCommit(true);
            assertRefused("autocommit on", () -> Counters.of(joined).add("shares", "p", 7));
            assertRefused("autocommit on", () -> Counters.of(joined).get("shares", "p"));
        }
        assertRefused("closed", () -> store.in(closed));
        assertThat(Counters.of(store).get("shares", "p")).isEqualTo(5);
    }

    private static void assertRefused(String why, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("transaction must be open, but its connection")
                .hasMessageContaining(why);
    }
}
