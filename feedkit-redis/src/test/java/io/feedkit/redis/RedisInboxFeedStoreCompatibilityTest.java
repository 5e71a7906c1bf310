package io.feedkit.redis;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Whole feeds with only the inboxes in Redis. */
@Tag("matrix")
class RedisInboxFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final TestInboxes inboxes = new TestInboxes();
    private final InMemoryFeedStore truth = InMemoryFeedStore.create(inboxes.clock());
    private final FeedStore store =
            FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks(), inboxes.rankSnapshots());

    @Override
    protected FeedStore store() {
        return store;
    }

    @Override
    protected void pass(Duration duration) {
        inboxes.clock().advance(duration);
    }

    @Override
    protected long now() {
        return inboxes.clock().millis();
    }

    @AfterEach
    void closeInboxes() {
        inboxes.close();
    }
}
