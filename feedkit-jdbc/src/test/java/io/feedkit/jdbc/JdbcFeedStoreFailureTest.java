package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreFailureKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(allCases = Kind.POSTGRESQL)
class JdbcFeedStoreFailureTest extends FeedStoreFailureKit {

    private final Kind kind;
    private final TestStores stores;

    JdbcFeedStoreFailureTest(Kind kind) {
        this.kind = kind;
        stores = new TestStores(kind);
    }

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    /** All 6,000 runs take half an hour on each database. */
    @Override
    protected int stride() {
        return Integer.getInteger("feedkit.failure.stride", 499);
    }

    /** Each database runs every third scenario; together those of the default build run all. */
    @Override
    protected boolean samples(int number) {
        int share = Math.max(0, Databases.EVERY_BUILD.indexOf(kind));
        return number % Databases.EVERY_BUILD.size() == share;
    }

    @Override
    protected int exhaustiveStride() {
        return Integer.getInteger("feedkit.failure.exhaustiveStride", 397);
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
