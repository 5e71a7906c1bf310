package io.feedkit.redis;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreFailureKit;
import org.junit.jupiter.api.AfterEach;

class RedisFeedStoreFailureTest extends FeedStoreFailureKit {

    private final TestStores stores = new TestStores();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    @Override
    protected int stride() {
        return Integer.getInteger("feedkit.failure.stride", 307);
    }

    /** All runs take ten minutes, so the full build runs a part. */
    @Override
    protected int exhaustiveStride() {
        return Integer.getInteger("feedkit.failure.exhaustiveStride", 127);
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
