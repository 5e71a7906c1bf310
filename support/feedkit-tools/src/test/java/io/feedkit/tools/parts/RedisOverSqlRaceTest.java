package io.feedkit.tools.parts;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreRaceKit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Racing threads with inboxes in Redis over PostgreSQL")
class RedisOverSqlRaceTest extends FeedStoreRaceKit {

    @AutoClose
    private static final RedisOverSql PARTS = new RedisOverSql();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return PARTS.empty(clock);
    }

    /** Three to ten seconds a round: fewer than in memory, unless asked for. */
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
}
