package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.ManualClock;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A live feed that is polled")
class LivePollingTest {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));

    @Test
    @DisplayName("asks for no catch-up while posts grow old, and for one when a post appears below the lookback")
    void growingOld() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .live(live -> live.pollInterval(Duration.ofMillis(10)))
                .build()) {
            feed.follow("ann", "bob");
            assertThat(feed.read("ann", PageRequest.first(20)).items()).isEmpty();
            Received received = Received.from(feed.live("ann"));
            for (int minute = 0; minute < 6; minute++) {
                String post = "post-" + minute;
                feed.publish("bob", post);
                await().atMost(LONGEST).until(() -> received.posts().contains(post));
                awaitCount();
                clock.advance(Duration.ofSeconds(50));
                awaitCount();
            }
            assertThat(received.of(CatchUp.class)).isEmpty();

            FeedEngine other = FeedEngine.builder(store).clock(clock).build();
            other.importPosts(List.of(new Post("bob", "late", clock.instant().minusSeconds(600))));
            other.fanout().drain();
            other.close();
            await().atMost(LONGEST).until(() -> !received.of(CatchUp.class).isEmpty());
            received.cancel();
        }
    }

    @Test
    @DisplayName("asks for a catch-up when a post appears below the lookback, however many posts lie above it")
    void lateBelowMany() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .clock(clock)
                .live(live -> live.pollInterval(Duration.ofMillis(10)))
                .build()) {
            feed.follow("ann", "bob");
            assertThat(feed.read("ann", PageRequest.first(20)).items()).isEmpty();
            for (int i = 0; i < 80; i++) {
                clock.advance(Duration.ofMillis(10));
                feed.publish("bob", "post-" + i);
            }
            feed.fanout().drain();
            Received received = Received.from(feed.live("ann"));
            awaitCount();
            awaitCount();
            int before = received.of(CatchUp.class).size();
            FeedEngine other = FeedEngine.builder(store).clock(clock).build();
            other.importPosts(List.of(new Post("bob", "late", clock.instant().minusSeconds(600))));
            other.fanout().drain();
            other.close();
            await().atMost(LONGEST).until(() -> received.of(CatchUp.class).size() > before);
            received.cancel();
        }
    }

    /** Waits until the entries have been counted once more. */
    private void awaitCount() {
        int before = store.calls("Inbox.count");
        await().atMost(LONGEST).until(() -> store.calls("Inbox.count") > before + 1);
    }
}
