package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.counter.CounterTransactions;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.CounterStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcCounterStoreCompatibilityTest extends CounterStoreCompatibilityKit {

    private final TestDatabase database;
    private final CounterStore store;

    JdbcCounterStoreCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = new CounterTransactions(database.database(), Duration.ofHours(24));
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
    protected void pass(Duration duration) {
        database.clock().advance(duration);
    }

    @Override
    protected long now() {
        return database.clock().millis();
    }
}
