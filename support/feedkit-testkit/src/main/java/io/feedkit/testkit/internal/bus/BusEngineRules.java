package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Engines whose live feeds use the bus. Unlike the other rules, these hold for every bus, however broken it is. */
public abstract class BusEngineRules extends BusRules {

    private static final Duration BETWEEN_POSTS = Duration.ofMillis(50);

    private final InMemoryFeedStore store = InMemoryFeedStore.create();

    protected BusEngineRules(BusKit kit) {
        super(kit);
    }

    private static LiveReader subscriber(FeedEngine engine) {
        return LiveReader.of(
                engine.live("ann", engine.read("ann", PageRequest.first(1)).newer()));
    }

    private boolean isPublishing(long begin) {
        return System.nanoTime() - begin < kit.publishingTime().toNanos();
    }

    @Test
    @DisplayName("every post of two engines arrives exactly once on a subscription, and none of another deployment")
    void everyPostOnce() {
        InMemoryFeedStore other = InMemoryFeedStore.create();
        try (LiveTraffic traffic = LiveTraffic.start(bus, another);
                FeedEngine stranger = LiveTraffic.engine(other, kit.separateBus())) {
            LiveTraffic.follow(stranger);
            long begin = System.nanoTime();
            for (int i = 0; isPublishing(begin); i++) {
                stranger.publish(i % 2 == 0 ? "pulled" : "pushed", "foreign-" + i);
                pause(BETWEEN_POSTS);
            }
            traffic.finish(kit.longestCatchUp());
            assertThat(traffic.posts()).as("published posts").isGreaterThan(10);
        }
    }

    @Test
    @DisplayName("posts of authors whom the reader follows on another engine arrive exactly once, too")
    void followedElsewhere() {
        try (FeedEngine here = LiveTraffic.engine(store, bus);
                FeedEngine there = LiveTraffic.engine(store, another)) {
            LiveTraffic.follow(here);
            LiveReader reader = subscriber(here);
            List<String> ids = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 0; isPublishing(begin); i++) {
                there.follow("ann", "author-" + i);
                pause(BETWEEN_POSTS);
                for (int author = Math.max(0, i - 1); author <= i; author++) {
                    String id = "post-" + ids.size();
                    there.publish("author-" + author, id);
                    ids.add(id);
                }
                pause(BETWEEN_POSTS);
            }
            LiveTraffic.assertArrive(reader, ids, kit.longestCatchUp());
        }
    }

    @Test
    @DisplayName("posts that an engine publishes just before its end arrive exactly once")
    void lastPosts() {
        try (FeedEngine here = LiveTraffic.engine(store, bus)) {
            LiveTraffic.follow(here);
            LiveReader reader = subscriber(here);
            List<String> ids = new ArrayList<>();
            long begin = System.nanoTime();
            while (isPublishing(begin)) {
                try (FeedEngine there = LiveTraffic.engine(store, another)) {
                    for (String author : List.of("pushed", "pulled")) {
                        String id = "post-" + ids.size();
                        there.publish(author, id);
                        ids.add(id);
                        there.fanout().drain();
                    }
                }
                pause(BETWEEN_POSTS);
            }
            LiveTraffic.assertArrive(reader, ids, kit.longestCatchUp());
        }
    }
}
