package io.feedkit.jdbc.survival;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Watches the leases of several engines with this process's clock. A task is held from the answer to its claim or last
 * checkpoint. It is held until its holder asks to give it up, or until a lease that began with the request would have
 * expired. A claim that is requested and answered while another engine holds the task is a violation.
 */
final class LeaseWatch {

    private record Held(long lease, long sureFrom, long sureUntil) {}

    private final long leaseNanos;
    private final Map<String, Held> held = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private int leases;

    LeaseWatch(Duration lease) {
        leaseNanos = lease.toNanos();
    }

    /** Wraps the store of an engine. */
    FeedStore watch(FeedStore store) {
        return new Store(store, this);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized int leases() {
        return leases;
    }

    private synchronized void claimed(FanoutLog.Claim claim, long asked, long answered) {
        leases++;
        Held other = held.put(claim.task().id(), new Held(claim.lease(), answered, asked + leaseNanos));
        if (other != null && asked > other.sureFrom() && answered < other.sureUntil()) {
            violations.add("task " + claim.task().id() + " was claimed by lease " + claim.lease() + " during "
                    + other.lease());
        }
    }

    private synchronized void extended(FanoutLog.Claim claim, long asked) {
        held.computeIfPresent(
                claim.task().id(),
                (id, now) ->
                        now.lease() == claim.lease() ? new Held(now.lease(), now.sureFrom(), asked + leaseNanos) : now);
    }

    private synchronized void givenUp(FanoutLog.Claim claim) {
        held.computeIfPresent(claim.task().id(), (id, now) -> now.lease() == claim.lease() ? null : now);
    }

    private <T> void givenUp(List<T> steps, Function<T, FanoutLog.Claim> claim) {
        steps.forEach(step -> givenUp(claim.apply(step)));
    }

    private record Store(FeedStore delegate, LeaseWatch watch) implements ForwardingFeedStore {
        @Override
        public Outbox outbox() {
            return new Outboxes(delegate.outbox(), watch);
        }
    }

    private record Outboxes(Outbox delegate, LeaseWatch watch) implements ForwardingOutbox {
        @Override
        public FanoutLog fanout() {
            return new Log(delegate.fanout(), watch);
        }
    }

    private record Log(FanoutLog delegate, LeaseWatch watch) implements ForwardingFanoutLog {
        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            long asked = System.nanoTime();
            List<Claim> claims = delegate.claim(max, leaseMillis);
            long answered = System.nanoTime();
            claims.forEach(claim -> watch.claimed(claim, asked, answered));
            return claims;
        }

        @Override
        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
            long asked = System.nanoTime();
            List<Boolean> answers = delegate.checkpoint(progress, leaseMillis);
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i)) {
                    watch.extended(progress.get(i).claim(), asked);
                }
            }
            return answers;
        }

        @Override
        public List<Boolean> release(List<Release> releases) {
            watch.givenUp(releases, Release::claim);
            return delegate.release(releases);
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            watch.givenUp(claims, Function.identity());
            return delegate.finish(claims, retainMillis);
        }

        @Override
        public List<Boolean> fail(List<Failure> failures) {
            watch.givenUp(failures, Failure::claim);
            return delegate.fail(failures);
        }

        @Override
        public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
            watch.givenUp(claim);
            return delegate.moveToDeadLetters(claim, attempts, reason);
        }

        @Override
        public boolean split(Claim claim, List<KeyRange> ranges) {
            watch.givenUp(claim);
            return delegate.split(claim, ranges);
        }

        @Override
        public boolean retractLater(Claim claim, long delayMillis) {
            watch.givenUp(claim);
            return delegate.retractLater(claim, delayMillis);
        }
    }
}
