package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.EventRecordingOutboxCompatibilityKit;
import io.feedkit.testkit.FanoutLogCompatibilityKit;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import io.feedkit.testkit.InboxCompatibilityKit;
import io.feedkit.testkit.PulledRegisterCompatibilityKit;
import io.feedkit.testkit.RankSnapshotsCompatibilityKit;
import io.feedkit.testkit.SeenMarksCompatibilityKit;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The kits, bound to whatever store a run is about. They are not run by themselves. */
final class Leaves {

    static final List<Class<?>> ALL = List.of(
            Inboxes.class, Outboxes.class, Logs.class, Registers.class, Graphs.class, Unreads.class, Ranks.class);

    private Leaves() {}

    @ExtendWith(Bench.Resolver.class)
    static final class Inboxes extends InboxCompatibilityKit {
        private final Bench bench;

        Inboxes(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected Inbox inbox(InboxLimits limits) {
            return bench.store().inbox(limits);
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }

        @Override
        protected int randomSequences() {
            return 5;
        }

        @Override
        protected int moreRandomSequences() {
            return 5;
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Outboxes extends EventRecordingOutboxCompatibilityKit {
        private final Bench bench;

        Outboxes(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected TransactionalOutbox outbox() {
            return (TransactionalOutbox) bench.store().outbox();
        }

        @Override
        protected HostTransaction begin() {
            InMemoryTransaction transaction = bench.sound().begin();
            return new HostTransaction(transaction, transaction::commit, transaction::rollback);
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Logs extends FanoutLogCompatibilityKit {
        private final Bench bench;

        Logs(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected Outbox outbox() {
            return bench.store().outbox();
        }

        @Override
        protected FanoutLog anotherLog() {
            return bench.another().outbox().fanout();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Registers extends PulledRegisterCompatibilityKit {
        private final Bench bench;

        Registers(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected Outbox outbox() {
            return bench.store().outbox();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Graphs extends WritableFollowGraphCompatibilityKit {
        private final Bench bench;

        Graphs(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected WritableFollowGraph graph() {
            return (WritableFollowGraph) bench.store().graph();
        }
    }

    /** Not among all: it takes long, and most of its tests are about the engine. */
    @ExtendWith(Bench.Resolver.class)
    static final class Feeds extends FeedStoreCompatibilityKit {
        private final Bench bench;

        Feeds(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected FeedStore store() {
            return bench.store();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Unreads extends SeenMarksCompatibilityKit {
        private final Bench bench;

        Unreads(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected SeenMarks seenMarks() {
            return bench.store().seenMarks();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }

    @ExtendWith(Bench.Resolver.class)
    static final class Ranks extends RankSnapshotsCompatibilityKit {
        private final Bench bench;

        Ranks(Bench bench) {
            this.bench = bench;
        }

        @Override
        protected RankSnapshots rankSnapshots() {
            return bench.store().rankSnapshots().orElseThrow();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }
}
