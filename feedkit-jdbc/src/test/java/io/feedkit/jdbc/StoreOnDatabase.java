package io.feedkit.jdbc;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Binds the kit of whole stores to a database. */
abstract class StoreOnDatabase extends FeedStoreCompatibilityKit {

    private final TestDatabase database;

    StoreOnDatabase(TestDatabase database) {
        this.database = database;
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
    protected boolean thorough() {
        return false;
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
