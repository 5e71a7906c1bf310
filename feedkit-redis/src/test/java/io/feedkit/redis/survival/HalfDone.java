package io.feedkit.redis.survival;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Watches which tasks have been done for some of their readers, and not for all. Thread-safe. */
final class HalfDone {

    private final Set<String> tasks = ConcurrentHashMap.newKeySet();

    /** Puts this between an engine and its store. */
    FeedStore watch(FeedStore store) {
        return new Store(store, this);
    }

    int tasks() {
        return tasks.size();
    }

    private void cameTo(FanoutLog.Task task, String after) {
        if (!after.isEmpty()) {
            tasks.add(task.id());
        }
    }

    private record Store(FeedStore delegate, HalfDone watch) implements ForwardingFeedStore {
        @Override
        public Outbox outbox() {
            return new Posts(delegate.outbox(), watch);
        }
    }

    private record Posts(Outbox delegate, HalfDone watch) implements ForwardingOutbox {
        @Override
        public FanoutLog fanout() {
            return new Log(delegate.fanout(), watch);
        }
    }

    private record Log(FanoutLog delegate, HalfDone watch) implements ForwardingFanoutLog {
        @Override
        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
            List<Boolean> answers = delegate.checkpoint(progress, leaseMillis);
            progress.forEach(each -> watch.cameTo(each.claim().task(), each.after()));
            return answers;
        }

        @Override
        public List<Boolean> release(List<Release> releases) {
            List<Boolean> answers = delegate.release(releases);
            releases.forEach(each -> watch.cameTo(each.claim().task(), each.after()));
            return answers;
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            claims.forEach(each -> watch.tasks.remove(each.task().id()));
            return delegate.finish(claims, retainMillis);
        }
    }
}
