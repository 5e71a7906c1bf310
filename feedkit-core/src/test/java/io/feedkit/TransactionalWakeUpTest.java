package io.feedkit;

import static org.awaitility.Awaitility.await;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Workers find a post that was published in a transaction without waiting for their poll. */
class TransactionalWakeUpTest {

    @Test
    @DisplayName("a commit some time after the publish is noticed long before the poll interval is over")
    void commitIsNoticed() {
        InMemoryFeedStore store = InMemoryFeedStore.create();
        try (FeedEngine engine = FeedEngine.builder(store)
                .fanout(fanout -> fanout.pollInterval(Duration.ofHours(1)))
                .build()) {
            InMemoryTransaction transaction = store.begin();
            engine.publish(Post.of("bob", "1", 0), transaction);
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            transaction.commit();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> store.outbox().fanout().queueStatus().unfinished() == 0);
        }
    }
}
