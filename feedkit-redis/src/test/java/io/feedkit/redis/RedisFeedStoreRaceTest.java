package io.feedkit.redis;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreRaceKit;
import org.junit.jupiter.api.AfterEach;

class RedisFeedStoreRaceTest extends FeedStoreRaceKit {

    private final TestStores stores = new TestStores();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    /** A round takes three seconds. So there are fewer rounds than in memory, unless asked for. */
    @Override
    protected int rounds() {
        return Integer.getInteger("feedkit.race.rounds", 2);
    }

    @Override
    protected int moreRounds() {
        return Integer.getInteger("feedkit.race.moreRounds", 5);
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
