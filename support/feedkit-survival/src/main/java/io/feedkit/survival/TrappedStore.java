package io.feedkit.survival;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store whose calls pass through a trap. */
record TrappedStore(FeedStore delegate, Trap<KillPoint> trap) implements ForwardingFeedStore {

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new TrappedInbox(delegate.inbox(limits), trap);
    }

    @Override
    public Outbox outbox() {
        return new TrappedOutbox(delegate.outbox(), trap);
    }

    private record TrappedInbox(Inbox delegate, Trap<KillPoint> trap) implements ForwardingInbox {
        @Override
        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
            trap.at(KillPoint.WORKER_BEFORE_DELIVER);
            List<List<Outcome>> outcomes = delegate.deliver(deliveries);
            trap.at(KillPoint.WORKER_AFTER_DELIVER);
            return outcomes;
        }
    }

    private record TrappedOutbox(Outbox delegate, Trap<KillPoint> trap) implements ForwardingOutbox {
        @Override
        public List<Appended> append(List<Publication> publications) {
            trap.at(KillPoint.PUBLISHER_BEFORE_APPEND);
            List<Appended> appended = delegate.append(publications);
            trap.at(KillPoint.PUBLISHER_AFTER_APPEND);
            return appended;
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys) {
            List<Boolean> deleted = delegate.delete(keys);
            trap.at(KillPoint.PUBLISHER_AFTER_DELETE);
            return deleted;
        }

        @Override
        public Map<PostKey, Post> existing(Collection<PostKey> keys) {
            Map<PostKey, Post> existing = delegate.existing(keys);
            trap.at(KillPoint.WORKER_AFTER_CHECK);
            return existing;
        }

        @Override
        public FanoutLog fanout() {
            return new TrappedLog(delegate.fanout(), trap);
        }
    }

    private record TrappedLog(FanoutLog delegate, Trap<KillPoint> trap) implements ForwardingFanoutLog {
        @Override
        public List<LentTask> lend(int max, long loanMillis, int window) {
            trap.at(KillPoint.RELAY_BEFORE_LEND);
            List<LentTask> lent = delegate.lend(max, loanMillis, window);
            if (!lent.isEmpty()) {
                trap.at(KillPoint.RELAY_AFTER_LEND);
                trap.at(KillPoint.BROKER_AFTER_LEND);
            }
            return lent;
        }

        @Override
        public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
            trap.at(KillPoint.WORKER_BEFORE_TAKE);
            List<Optional<Claim>> taken = delegate.take(loans, leaseMillis);
            trap.at(KillPoint.WORKER_AFTER_TAKE);
            trap.at(KillPoint.BROKER_AFTER_TAKE);
            return taken;
        }

        @Override
        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
            trap.at(KillPoint.WORKER_BEFORE_CHECKPOINT);
            List<Boolean> ours = delegate.checkpoint(progress, leaseMillis);
            trap.at(KillPoint.WORKER_AFTER_CHECKPOINT);
            return ours;
        }

        @Override
        public boolean split(Claim claim, List<KeyRange> ranges) {
            boolean split = delegate.split(claim, ranges);
            trap.at(KillPoint.WORKER_AFTER_SPLIT);
            return split;
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            trap.at(KillPoint.WORKER_BEFORE_FINISH);
            List<Boolean> finished = delegate.finish(claims, retainMillis);
            trap.at(KillPoint.WORKER_AFTER_FINISH);
            return finished;
        }
    }
}
