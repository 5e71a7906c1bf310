package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreRaceKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcFeedStoreRaceTest extends FeedStoreRaceKit {

    private final TestStores stores;

    JdbcFeedStoreRaceTest(Kind kind) {
        stores = new TestStores(kind);
    }

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    /** A round takes three to ten seconds, so by default there are fewer rounds than in memory. */
    @Override
    protected int rounds() {
        return Integer.getInteger("feedkit.race.rounds", 1);
    }

    @Override
    protected int operations() {
        return Integer.getInteger("feedkit.race.operations", 60);
    }

    @Override
    protected int moreRounds() {
        return Integer.getInteger("feedkit.race.moreRounds", 6);
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
