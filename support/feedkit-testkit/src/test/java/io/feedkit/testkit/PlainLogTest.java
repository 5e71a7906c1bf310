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
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A log that leaves out what has a default. */
@DisplayName("A log with the defaults of the SPI")
class PlainLogTest {

    /** Implements what a log must. */
    private record PlainLog(FanoutLog sound) implements FanoutLog {

        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            return sound.claim(max, leaseMillis);
        }

        @Override
        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
            return sound.checkpoint(progress, leaseMillis);
        }

        @Override
        public List<Boolean> release(List<Release> releases) {
            return sound.release(releases);
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            return sound.finish(claims, retainMillis);
        }

        @Override
        public List<Boolean> fail(List<Failure> failures) {
            return sound.fail(failures);
        }

        @Override
        public List<Boolean> postpone(List<Postponement> postponements) {
            return sound.postpone(postponements);
        }

        @Override
        public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
            return sound.moveToDeadLetters(claim, attempts, reason);
        }

        @Override
        public boolean split(Claim claim, List<KeyRange> ranges) {
            return sound.split(claim, ranges);
        }

        @Override
        public boolean retractLater(Claim claim, long delayMillis) {
            return sound.retractLater(claim, delayMillis);
        }

        @Override
        public boolean catchUp(String author, PulledRegister.Entry entry) {
            return sound.catchUp(author, entry);
        }

        @Override
        public QueueStatus queueStatus() {
            return sound.queueStatus();
        }

        @Override
        public long invisibleSince() {
            return sound.invisibleSince();
        }

        @Override
        public List<Dead> dead(String after, int limit) {
            return sound.dead(after, limit);
        }

        @Override
        public int replay(Collection<String> ids) {
            return sound.replay(ids);
        }

        @Override
        public OptionalInt restart(long loss, long finishedSince) {
            return sound.restart(loss, finishedSince);
        }

        @Override
        public long latestLoss() {
            return sound.latestLoss();
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
            engine.publish("bob", "q");
            assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
            assertThat(engine.fanout().backlog().byKind()).isEmpty();
            assertThatThrownBy(() -> engine.fanout().discard(List.of("1")))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(engine::useOwnPolicyOnAllEngines).isInstanceOf(UnsupportedOperationException.class);
        }
        FeedEngineBuilder queued = FeedEngine.builder(store).workers(0).fanoutQueue(InMemoryFanoutQueue.create());
        assertThatThrownBy(queued::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fanoutQueue");
    }
}
