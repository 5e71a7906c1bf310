package io.feedkit.tools.parts;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreModelKit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Random operations with inboxes in Redis over PostgreSQL")
class RedisOverSqlModelTest extends FeedStoreModelKit {

    @AutoClose
    private static final RedisOverSql PARTS = new RedisOverSql();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return PARTS.empty(clock);
    }

    /** Half a second a run: fewer than in memory, unless asked for. */
    @Override
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 3);
    }

    @Override
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 15);
    }

    /** Other seeds than those of the single backends find more than the same ones again. */
    @Override
    protected long firstSeed() {
        return Long.getLong("feedkit.model.firstSeed", 5001);
    }
}
