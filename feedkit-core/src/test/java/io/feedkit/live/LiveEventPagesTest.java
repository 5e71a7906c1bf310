package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A subscriber who reads a page at each event, as a client may that shows both. */
@DisplayName("A post of a live feed")
@Timeout(60)
class LiveEventPagesTest {

    private static final int POSTS = 40;

    private final InMemoryFeedStore store = InMemoryFeedStore.create();
    private final InMemoryLiveBus bus = InMemoryLiveBus.create();

    /** Reads the first page in each event of a post, and keeps the posts that were not on it. */
    private record PageReader(FeedEngine feed, List<String> arrived, List<String> missing)
            implements Flow.Subscriber<LiveEvent> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            if (event instanceof PostAdded added) {
                List<Post> page = feed.read("ann", PageRequest.first(POSTS)).items();
                if (!page.contains(added.post())) {
                    missing.add(added.post().id());
                }
                arrived.add(added.post().id());
            }
        }

        @Override
        public void onError(Throwable failure) {
            missing.add(failure.toString());
        }

        @Override
        public void onComplete() {}
    }

    private FeedEngine engine(FanoutPolicy policy, boolean useBus) {
        return FeedEngine.builder(store)
                .policy(policy)
                .live(live -> {
                    live.pollInterval(Duration.ofMillis(20));
                    if (useBus) {
                        live.bus(bus);
                    }
                })
                .build();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @DisplayName("is on every page read afterwards on its engine, also if another engine published it in a transaction")
    void pages(boolean pulled, boolean useBus) {
        FanoutPolicy policy = pulled ? FanoutPolicy.pull() : FanoutPolicy.push();
        try (FeedEngine here = engine(policy, useBus);
                FeedEngine there = engine(policy, useBus)) {
            here.follow("ann", "bob");
            PageReader reader = new PageReader(here, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
            here.live("ann", here.read("ann", PageRequest.first(1)).newer()).subscribe(reader);
            for (int i = 0; i < POSTS; i++) {
                if (i % 2 == 0) {
                    there.publish("bob", "post-" + i);
                } else {
                    try (InMemoryTransaction transaction = store.begin()) {
                        there.publish(new Post("bob", "post-" + i, Instant.now()), transaction);
                        transaction.commit();
                    }
                }
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(reader.arrived()).hasSize(POSTS).doesNotHaveDuplicates());
            assertThat(reader.missing()).isEmpty();
        }
    }
}
