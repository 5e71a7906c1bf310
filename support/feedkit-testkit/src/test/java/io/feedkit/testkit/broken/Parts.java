package io.feedkit.testkit.broken;

import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.forwarding.ForwardingPostEventLog;
import io.feedkit.testkit.forwarding.ForwardingPulledRegister;
import io.feedkit.testkit.forwarding.ForwardingRankSnapshots;
import io.feedkit.testkit.forwarding.ForwardingSeenMarks;
import io.feedkit.testkit.forwarding.ForwardingTransactionalOutbox;
import io.feedkit.testkit.forwarding.ForwardingWritableFollowGraph;
import java.util.List;

/** Sound parts of a store, to be overridden where they are to be broken. */
final class Parts {

    private Parts() {}

    abstract static class AnInbox implements ForwardingInbox {
        final Inbox sound;

        AnInbox(Inbox sound) {
            this.sound = sound;
        }

        @Override
        public Inbox delegate() {
            return sound;
        }
    }

    abstract static class AnOutbox implements ForwardingTransactionalOutbox {
        final TransactionalOutbox sound;

        AnOutbox(TransactionalOutbox sound) {
            this.sound = sound;
        }

        @Override
        public TransactionalOutbox delegate() {
            return sound;
        }
    }

    abstract static class AWriter implements OutboxWriter {
        final OutboxWriter sound;

        AWriter(OutboxWriter sound) {
            this.sound = sound;
        }

        @Override
        public List<Appended> append(List<Publication> publications) {
            return sound.append(publications);
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys) {
            return sound.delete(keys);
        }
    }

    abstract static class ALog implements ForwardingFanoutLog {
        final FanoutLog sound;

        ALog(FanoutLog sound) {
            this.sound = sound;
        }

        @Override
        public FanoutLog delegate() {
            return sound;
        }
    }

    abstract static class AnEventLog implements ForwardingPostEventLog {
        final PostEventLog sound;

        AnEventLog(PostEventLog sound) {
            this.sound = sound;
        }

        @Override
        public PostEventLog delegate() {
            return sound;
        }
    }

    abstract static class ARegister implements ForwardingPulledRegister {
        final PulledRegister sound;

        ARegister(PulledRegister sound) {
            this.sound = sound;
        }

        @Override
        public PulledRegister delegate() {
            return sound;
        }
    }

    abstract static class AGraph implements ForwardingWritableFollowGraph {
        final WritableFollowGraph sound;

        AGraph(WritableFollowGraph sound) {
            this.sound = sound;
        }

        @Override
        public WritableFollowGraph delegate() {
            return sound;
        }
    }

    abstract static class SomeOrders implements ForwardingRankSnapshots {
        final RankSnapshots sound;

        SomeOrders(RankSnapshots sound) {
            this.sound = sound;
        }

        @Override
        public RankSnapshots delegate() {
            return sound;
        }
    }

    abstract static class SomeMarks implements ForwardingSeenMarks {
        final SeenMarks sound;

        SomeMarks(SeenMarks sound) {
            this.sound = sound;
        }

        @Override
        public SeenMarks delegate() {
            return sound;
        }
    }
}
