package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to live feeds shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to live feeds")
@Timeout(120)
class LiveGuideTest {

    /** A client, as a host's socket would be. */
    private record Client(List<LiveEvent> events) implements Flow.Subscriber<LiveEvent> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            events.add(event);
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {}
    }

    private static void subscribe(
            FeedEngine feed, FeedPage<Post> page, Optional<String> lastEventId, Flow.Subscriber<LiveEvent> subscriber) {
        // guide
        Flow.Publisher<LiveEvent> events =
                feed.live("ann", lastEventId.map(Cursor::parse).orElse(page.newer()));
        events.subscribe(subscriber);
        // end
    }

    @Test
    @DisplayName("delivers posts of another engine, continues after a break, and can be waited for")
    void live() throws InterruptedException {
        InMemoryFeedStore store = InMemoryFeedStore.create();
        LiveBus bus = InMemoryLiveBus.create();
        // guide
        FeedEngine feed = FeedEngine.builder(store).live(live -> live.bus(bus)).build();
        // end
        try (feed;
                FeedEngine other =
                        FeedEngine.builder(store).live(live -> live.bus(bus)).build()) {
            feed.follow("ann", "bob");
            FeedPage<Post> page = feed.read("ann", PageRequest.first(20));
            List<LiveEvent> events = new CopyOnWriteArrayList<>();
            subscribe(feed, page, Optional.empty(), new Client(events));
            other.publish("bob", "post-1");
            await().atMost(Duration.ofSeconds(20)).until(() -> events.stream().anyMatch(PostAdded.class::isInstance));
            String lastEventId = events.get(events.size() - 1).cursor().toString();
            other.publish("bob", "post-2");
            List<LiveEvent> later = new CopyOnWriteArrayList<>();
            subscribe(other, page, Optional.of(lastEventId), new Client(later));
            await().atMost(Duration.ofSeconds(20)).until(() -> later.stream().anyMatch(PostAdded.class::isInstance));
            // guide
            FeedPage<Post> news =
                    feed.await("ann", page.newer(), Duration.ofSeconds(25)); // empty at the end of the time
            // end
            assertThat(news.items()).isNotEmpty();
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("live.md", "LiveGuideTest");
    }
}
