package io.feedkit.survival;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.forwarding.ForwardingFanoutQueue;
import java.util.Collection;
import java.util.List;

/** A queue whose calls pass through a trap. */
record TrappedQueue(FanoutQueue delegate, Trap<KillPoint> trap) implements ForwardingFanoutQueue {

    @Override
    public List<Sent> send(List<Message> messages) {
        List<Sent> sent = delegate.send(messages);
        trap.at(KillPoint.RELAY_AFTER_SEND);
        trap.at(KillPoint.BROKER_AFTER_SEND);
        return sent;
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        return new TrappedSubscription(delegate.receive(lane, most, arrived), trap);
    }

    private record TrappedSubscription(Subscription delegate, Trap<KillPoint> trap) implements Subscription {
        @Override
        public List<Received> poll(int max) {
            return delegate.poll(max);
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            delegate.acknowledge(messages);
            trap.at(KillPoint.WORKER_AFTER_ACKNOWLEDGE);
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            delegate.refuse(messages, reason);
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
