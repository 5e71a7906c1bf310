package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An error of the store when a task is over")
class ConclusionFailuresTest {

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);

    private static void broken() {
        throw new AssertionError("broken by the store");
    }

    @Test
    @DisplayName("is the failure of the one task, and those that were claimed with it are finished")
    void oneOfMany() {
        try (FeedEngine feed = FeedEngine.builder(store).clock(clock).workers(0).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "gone");
            feed.fanout().drain();
            feed.delete("bob", "gone");
            feed.fanout().drain();
            store.before("PulledRegister.retracted", ConclusionFailuresTest::broken);
            clock.advance(Duration.ofMinutes(10));
            Post shown = feed.publish("bob", "new").post();
            feed.fanout().drain();
            assertThat(feed.fanout().backlog().tasks()).isEqualTo(1);
            assertThat(feed.read("ann", PageRequest.first(10)).items()).containsExactly(shown);
            store.heal();
            clock.advance(Duration.ofMinutes(10));
            feed.fanout().drain();
            assertThat(feed.fanout().backlog().tasks()).isZero();
        }
    }
}
