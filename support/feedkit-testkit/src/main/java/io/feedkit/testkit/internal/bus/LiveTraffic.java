package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Two engines on one store in memory, each with its own view of a bus. A reader subscribes to one engine, and authors
 * publish on both, most of them on the other one. Pushed and pulled posts alternate.
 */
public final class LiveTraffic implements AutoCloseable {

    private static final Duration BETWEEN_POSTS = Duration.ofMillis(50);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final String READER = "ann";

    private final FeedEngine here;
    private final FeedEngine there;
    private final LiveReader subscriber;
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final Thread publisher = new Thread(this::publish, "publisher");
    private volatile boolean ended;

    private LiveTraffic(InMemoryFeedStore store, LiveBus ofSubscriber, LiveBus ofPublisher) {
        here = engine(store, ofSubscriber);
        there = engine(store, ofPublisher);
        follow(here);
        subscriber = LiveReader.of(
                here.live(READER, here.read(READER, PageRequest.first(1)).newer()));
    }

    /** Starts to publish. */
    public static LiveTraffic start(LiveBus ofSubscriber, LiveBus ofPublisher) {
        LiveTraffic traffic = new LiveTraffic(InMemoryFeedStore.create(), ofSubscriber, ofPublisher);
        traffic.publisher.start();
        return traffic;
    }

    static FeedEngine engine(InMemoryFeedStore store, LiveBus bus) {
        return FeedEngine.builder(store)
                .policy(FanoutPolicy.hybrid(3))
                .live(live -> live.bus(bus).pollInterval(POLL_INTERVAL))
                .build();
    }

    /** Follows an author whose posts are pushed, and one whose posts are pulled. */
    static void follow(FeedEngine engine) {
        engine.follow(READER, "pushed");
        for (String reader : List.of(READER, "ben", "cat", "dan")) {
            engine.follow(reader, "pulled");
        }
        engine.fanout().drain();
    }

    private void publish() {
        for (int i = 0; !ended; i++) {
            String id = "post-" + i;
            (i % 4 == 0 ? here : there).publish(i % 3 == 0 ? "pulled" : "pushed", id);
            ids.add(id);
            BusRules.pause(BETWEEN_POSTS);
        }
    }

    /** Stops publishing, and checks that every post arrives at the subscriber in time, and once. */
    public void finish(Duration longest) {
        ended = true;
        join();
        assertArrive(subscriber, ids, longest);
    }

    /** How many posts were published. */
    public int posts() {
        return ids.size();
    }

    static void assertArrive(LiveReader reader, List<String> ids, Duration longest) {
        long begin = System.nanoTime();
        while (!reader.posts().containsAll(ids) && System.nanoTime() - begin < longest.toNanos()) {
            BusRules.pause(Duration.ofMillis(10));
        }
        // Repeated posts would come with the next message at the latest.
        BusRules.pause(Duration.ofMillis(300));
        assertThat(reader.posts()).as("posts on the subscription").containsExactlyInAnyOrderElementsOf(ids);
    }

    private void join() {
        try {
            publisher.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while publishing", e);
        }
    }

    @Override
    public void close() {
        ended = true;
        join();
        here.close();
        there.close();
    }
}
