package io.feedkit.testkit.model;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import java.util.Optional;

/** The race of whole feeds with tasks that come through a queue which is worse than any broker. */
class QueuedRaceTest extends FeedStoreRaceKit {

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return InMemoryFeedStore.create(clock);
    }

    @Override
    protected Optional<FanoutQueue> emptyQueue() {
        return Optional.of(new CarelessQueue());
    }

    @Override
    protected int rounds() {
        return Integer.getInteger("feedkit.race.rounds", 3);
    }
}
