package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.feedkit.counter.FeedCounters;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.publish.PostTimes;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What hosts pass around and log")
class DescriptionsTest {

    @Test
    @DisplayName("is described, and not by the address of an object")
    void described() {
        InMemoryFeedStore store = InMemoryFeedStore.create();
        FeedStore parts = FeedStore.of(store.outbox(), store::inbox, store.graph(), store.seenMarks());
        try (FeedEngine engine =
                FeedEngine.builder(store).name("evening").workers(0).build()) {
            List<Object> all = List.of(
                    engine,
                    store,
                    parts,
                    ComposedStore.of(made -> store),
                    FanoutPolicy.push(),
                    FanoutPolicy.pull(),
                    FanoutPolicy.hybrid(1000),
                    FanoutPolicy.active(1000),
                    FanoutPolicy.shedding(FanoutPolicy.push(), Duration.ofMinutes(1)),
                    FanoutPolicy.online(FanoutPolicy.hybrid(1000)),
                    InMemoryPresenceStore.create(),
                    engine.presence(),
                    engine.presence().connect("ann"),
                    QueuedFanout.over(InMemoryFanoutQueue.create()),
                    FeedCounters.of(InMemoryCounterStore.create()),
                    PageRequest.first(5),
                    engine.read("ann", PageRequest.first(5)),
                    engine.fanout().backlog());
            assertThat(all)
                    .allSatisfy(each -> assertThat(each.toString())
                            .doesNotContainPattern("@[0-9a-f]{5,}")
                            .doesNotContain("$$"));
            assertThat(engine).hasToString("FeedEngine[evening]");
        }
        FeedEngine closed = FeedEngine.builder(store).name("evening").workers(0).build();
        closed.close();
        assertThat(closed).hasToString("FeedEngine[evening, closed]");
    }

    @Test
    @DisplayName("warns once of a time in seconds that is given as milliseconds, and names the post")
    void seconds() {
        try (LogCapture log = LogCapture.of(PostTimes.class);
                FeedEngine engine = FeedEngine.inMemory().workers(0).build()) {
            engine.publish(Post.of("bob", "p1", Instant.now().toEpochMilli()));
            engine.publish(Post.of("bob", "p2", 0));
            assertThat(log.messages(Level.WARN)).isEmpty();
            long seconds = Instant.now().getEpochSecond();
            engine.publish(Post.of("bob", "p3", seconds));
            engine.publish(Post.of("bob", "p4", seconds));
            assertThat(log.messages(Level.WARN))
                    .singleElement()
                    .satisfies(message -> assertThat(message).contains("p3", "seconds"));
        }
    }
}
