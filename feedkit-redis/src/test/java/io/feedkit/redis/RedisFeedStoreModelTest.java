package io.feedkit.redis;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreModelKit;
import org.junit.jupiter.api.AfterEach;

class RedisFeedStoreModelTest extends FeedStoreModelKit {

    private final TestStores stores = new TestStores();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    /**
     * A run takes a tenth of a second, with two engines that talk to a server. So there are fewer runs than in memory,
     * unless asked for.
     */
    @Override
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 15);
    }

    @Override
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 40);
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
