package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.TaskKind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("After a restart of the Redis that has the inboxes")
@Timeout(60)
class BacklogAfterRestartTest {

    private static final int POSTS = 20;

    @Test
    @DisplayName("the backlog counts what is done again, but is not old")
    void doneAgain() {
        InMemoryFeedStore truth = InMemoryFeedStore.create();
        AtomicReference<FeedEngine> engine = new AtomicReference<>();
        List<Backlog> backlogs = new CopyOnWriteArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void deliveryLossSuspected(DeliveryLossSuspected event) {
                backlogs.add(engine.get().fanout().backlog());
            }
        };
        try (RedisServer server = RedisServer.start(Durability.DURABLE);
                RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(server.uri()));
                FeedEngine feed = FeedEngine.builder(
                                FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                        .workers(0)
                        .listener(listener)
                        .build()) {
            engine.set(feed);
            feed.follow("ann", "bob");
            feed.read("ann", PageRequest.first(1));
            for (int n = 0; n < POSTS; n++) {
                feed.publish("bob", "p" + n);
            }
            feed.fanout().drain();

            server.kill();
            server.restart();
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                feed.fanout().drain();
                return !backlogs.isEmpty();
            });
            assertThat(backlogs)
                    .containsExactly(Backlog.builder()
                            .due(POSTS)
                            .byKind(Map.of(TaskKind.PUSH, (long) POSTS))
                            .build());
        }
    }
}
