package io.feedkit.jdbc;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class MariaDbFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final TestDatabase database = TestDatabase.mariaDb();
    private final JdbcFeedStore store = database.store();

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Override
    protected FeedStore store() {
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
