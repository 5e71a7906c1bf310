package io.feedkit.tools.parts;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreFailureKit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Failing calls with inboxes in Redis over PostgreSQL")
class RedisOverSqlFailureTest extends FeedStoreFailureKit {

    @AutoClose
    private static final RedisOverSql PARTS = new RedisOverSql();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return PARTS.empty(clock);
    }

    @Override
    protected int stride() {
        return Integer.getInteger("feedkit.failure.stride", 251);
    }

    /** One scenario in five. The single backends run them all. */
    @Override
    protected boolean samples(int number) {
        return number % 5 == 0;
    }

    @Override
    protected int exhaustiveStride() {
        return Integer.getInteger("feedkit.failure.exhaustiveStride", 397);
    }
}
