package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(without = Kind.MARIADB, allCases = Kind.POSTGRESQL)
class JdbcFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final TestDatabase database;

    JdbcFeedStoreCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected FeedStore store() {
        return database.store();
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
