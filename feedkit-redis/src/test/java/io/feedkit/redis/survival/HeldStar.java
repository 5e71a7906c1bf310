package io.feedkit.redis.survival;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testservers.survival.Members;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops workers in the middle of the star's tasks, when some readers have been delivered to, and that was noted. Thread-safe. */
final class HeldStar {

    private static final int LONGEST_SECONDS = 60;

    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean armed;

    /** Puts this between an engine and its store. */
    FeedStore watch(FeedStore store) {
        return new Store(store, this);
    }

    /** Workers stop from now on. */
    void begin() {
        armed = true;
    }

    /** The tasks at which workers stopped. */
    Set<String> tasks() {
        return Set.copyOf(held);
    }

    /** Lets them go on. */
    void end() {
        armed = false;
        end.countDown();
    }

    private void cameTo(FanoutLog.Task task, String after) {
        if (armed && !after.isEmpty() && task.author().equals(Members.STAR)) {
            held.add(task.id());
            try {
                if (!end.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody let the worker go on");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private record Store(FeedStore delegate, HeldStar watch) implements ForwardingFeedStore {
        @Override
        public Outbox outbox() {
            return new Posts(delegate.outbox(), watch);
        }
    }

    private record Posts(Outbox delegate, HeldStar watch) implements ForwardingOutbox {
        @Override
        public FanoutLog fanout() {
            return new Log(delegate.fanout(), watch);
        }
    }

    private record Log(FanoutLog delegate, HeldStar watch) implements ForwardingFanoutLog {
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
    }
}
