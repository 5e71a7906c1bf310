package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * These tests do not run on MySQL and MariaDB, where the call has already locked the rows that the other connection
 * changes here.
 */
@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(without = {Kind.MARIADB, Kind.MYSQL})
@DisplayName("Rows of counters that another connection changes during a call")
class CounterRowsTest {

    private static final CellKey LIKES = new CellKey(new Owner(Space.TYPES, "ann"), "like");

    /** A change by another connection before a statement is prepared. */
    private record Meanwhile(String statement, Runnable action) {}

    private final Kind kind;
    private final TestDatabase database;
    private final JdbcCounterStore others;
    private final JdbcCounterStore store;
    private final Queue<Meanwhile> meanwhile = new ArrayDeque<>();

    CounterRowsTest(Kind kind) {
        this.kind = kind;
        database = TestDatabase.lent(kind);
        others = JdbcCounterStore.builder(database.dataSource())
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
        store = JdbcCounterStore.builder(TestDataSources.before(database.dataSource(), this::before))
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private void before(String method, Object[] arguments) {
        Meanwhile next = meanwhile.peek();
        if (next != null
                && method.equals("prepareStatement")
                && String.valueOf(arguments[0]).contains(next.statement())) {
            meanwhile.remove();
            next.action().run();
        }
    }

    @AfterEach
    void closeDatabase() {
        assertThat(meanwhile).isEmpty();
        store.close();
        others.close();
        database.close();
    }

    private Outcome addOnce() {
        return store.add(List.of(new Add(LIKES, 1, Optional.of("o")))).get(0).outcome();
    }

    @Test
    @DisplayName("remember an operation that is repeated while its row is purged")
    void purged() {
        assertThat(addOnce()).isEqualTo(Outcome.ADDED);
        database.clock().advance(Duration.ofHours(25));
        meanwhile.add(new Meanwhile(
                "UPDATE feedkit_counter_operation",
                () -> assertThat(others.purge(10)).isOne()));
        assertThat(addOnce()).isEqualTo(Outcome.ADDED);
        assertThat(addOnce()).isEqualTo(Outcome.REPEATED);
    }

    @Test
    @DisplayName("are created again when another connection removes them before the lock")
    void removed() {
        Raise raise = new Raise(LIKES, 3, 0, Optional.empty(), When.ALWAYS);
        if (kind == Kind.POSTGRESQL) {
            meanwhile.add(new Meanwhile("INSERT INTO feedkit_counter_cell", () -> others.raise(List.of(raise))));
            meanwhile.add(new Meanwhile("FOR UPDATE", () -> others.removeCells(List.of(LIKES))));
        }
        store.raise(List.of(raise));
        assertThat(store.cell(LIKES)).isEqualTo(new Cell(0, OptionalLong.of(3)));
    }
}
