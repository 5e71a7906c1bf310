package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A race of feeds with copies of inboxes")
class CopiedRaceTest extends FeedStoreRaceKit {

    private final CopiedRuns runs = new CopiedRuns();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return InMemoryFeedStore.create(clock);
    }

    @Override
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return runs.next();
    }

    @AfterEach
    void filled() {
        runs.assertFilled();
    }

    @Override
    protected int rounds() {
        return Integer.getInteger("feedkit.race.rounds", 5);
    }
}
