package io.feedkit.testkit.broken;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testkit.forwarding.ForwardingFanoutQueue;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A queue that breaks the contract in one way, or does something else that is allowed.
 *
 * @param name what it does
 * @param caughtBy the test that must fail, as its nested class and method; empty if none may
 * @param breaking makes the queue of a sound one
 */
record QueueMutant(String name, String caughtBy, UnaryOperator<FanoutQueue> breaking) {

    @Override
    public String toString() {
        return name;
    }

    /** A sound queue, to be overridden where it is to be broken. */
    abstract static class AQueue implements ForwardingFanoutQueue {
        final FanoutQueue sound;

        AQueue(FanoutQueue sound) {
            this.sound = sound;
        }

        @Override
        public FanoutQueue delegate() {
            return sound;
        }
    }

    /** A sound queue whose subscriptions are to be broken. */
    abstract static class Broken extends AQueue {

        Broken(FanoutQueue sound) {
            super(sound);
        }

        abstract Subscription broken(Subscription subscription, Lane lane, int most);

        @Override
        public Subscription receive(Lane lane, int most, Runnable arrived) {
            return broken(sound.receive(lane, most, arrived), lane, most);
        }
    }

    /** A sound subscription, to be overridden where it is to be broken. */
    abstract static class ASubscription implements Subscription {
        final Subscription sound;

        ASubscription(Subscription sound) {
            this.sound = sound;
        }

        @Override
        public List<Received> poll(int max) {
            return sound.poll(max);
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            sound.acknowledge(messages);
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            sound.refuse(messages, reason);
        }

        @Override
        public void close() {
            sound.close();
        }
    }
}
