package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A log that leaves out what has a default. */
@DisplayName("A log with the defaults of the SPI")
class PlainLogTest {

    private record PlainLog(FanoutLog delegate) implements ForwardingFanoutLog {

        @Override
        public boolean canLend() {
            return false;
        }

        @Override
        public int hasten(int most) {
            return 0;
        }

        @Override
        public String policyInUse() {
            return "";
        }
    }

    private record PlainOutbox(Outbox delegate) implements ForwardingOutbox {

        @Override
        public FanoutLog fanout() {
            return new PlainLog(delegate.fanout());
        }
    }

    private record PlainStore(FeedStore delegate) implements ForwardingFeedStore {

        @Override
        public Outbox outbox() {
            return new PlainOutbox(delegate.outbox());
        }
    }

    private final FeedStore store = new PlainStore(InMemoryFeedStore.create());

    @Test
    @DisplayName("fans out, and is refused with a queue")
    void fansOut() {
        try (FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
            engine.publish("bob", "p");
            engine.fanout().drain();
            assertThat(engine.read("ann", PageRequest.first(1)).items()).hasSize(1);
            assertThat(engine.fanout().discard(List.of("1"))).isZero();
        }
        FeedEngineBuilder queued = FeedEngine.builder(store).workers(0).fanoutQueue(InMemoryFanoutQueue.create());
        assertThatThrownBy(queued::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fanoutQueue");
    }
}
