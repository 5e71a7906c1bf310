package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.counter.CounterTransactions;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.CounterStoreCompatibilityKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(allCases = Kind.POSTGRESQL)
class JdbcCounterStoreCompatibilityTest extends CounterStoreCompatibilityKit {

    private final TestDatabase database;
    private final CounterTransactions store;

    JdbcCounterStoreCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = keeping(Duration.ofHours(24));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected CounterStore store() {
        return store;
    }

    @Override
    protected Optional<CounterStore> keepingOperations(Duration operationsKept) {
        return Optional.of(keeping(operationsKept));
    }

    private CounterTransactions keeping(Duration operationsKept) {
        return new CounterTransactions(
                database.database(),
                operationsKept,
                JdbcCounterStore.DEFAULT_VIEWS_KEPT,
                JdbcCounterStore.DEFAULT_IDLE_KEPT);
    }

    @Override
    protected void inTransaction(boolean committed, Consumer<CounterStore> work) {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            work.accept(store.in(connection));
            if (committed) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A history takes a second or two in a database. */
    @Override
    protected int histories() {
        return 3;
    }

    @Override
    protected int moreHistories() {
        return 10;
    }

    @Override
    protected void pass(Duration duration) {
        database.clock().advance(duration);
    }

    @Override
    protected long now() {
        return database.clock().millis();
    }
}
