package io.feedkit.redis.survival;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.List;

/** A log that tells which tasks were done for some of their readers, and not for all. */
record HalfDoneLog(FanoutLog delegate, Watch watch) implements ForwardingFanoutLog {

    /** Called in the worker's thread. */
    interface Watch {
        /** The log has recorded that the task was done for some readers. */
        void halfDone(FanoutLog.Task task);

        /** The task is about to be finished. */
        default void finishing(FanoutLog.Task task) {}
    }

    /** Puts a watch between an engine and its store. */
    static FeedStore in(FeedStore store, Watch watch) {
        return new Store(store, watch);
    }

    private void tell(FanoutLog.Task task, String after) {
        if (!after.isEmpty()) {
            watch.halfDone(task);
        }
    }

    @Override
    public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        List<Boolean> answers = delegate.checkpoint(progress, leaseMillis);
        progress.forEach(each -> tell(each.claim().task(), each.after()));
        return answers;
    }

    @Override
    public List<Boolean> release(List<Release> releases) {
        List<Boolean> answers = delegate.release(releases);
        releases.forEach(each -> tell(each.claim().task(), each.after()));
        return answers;
    }

    @Override
    public List<Boolean> finish(List<Claim> claims, long retainMillis) {
        claims.forEach(each -> watch.finishing(each.task()));
        return delegate.finish(claims, retainMillis);
    }

    private record Store(FeedStore delegate, Watch watch) implements ForwardingFeedStore {
        @Override
        public Outbox outbox() {
            return new Posts(delegate.outbox(), watch);
        }

        @Override
        public Outbox outboxForFollowers() {
            return new Posts(delegate.outboxForFollowers(), watch);
        }
    }

    private record Posts(Outbox delegate, Watch watch) implements ForwardingOutbox {
        @Override
        public FanoutLog fanout() {
            return new HalfDoneLog(delegate.fanout(), watch);
        }
    }
}
