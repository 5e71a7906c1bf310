package io.feedkit.testkit.forwarding;

import io.feedkit.queue.FanoutQueue;
import java.util.List;

/**
 * A queue that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingFanoutQueue extends FanoutQueue {

    /**
     * The target of the calls.
     *
     * @return the decorated queue
     */
    FanoutQueue delegate();

    @Override
    default List<Sent> send(List<Message> messages) {
        return delegate().send(messages);
    }

    @Override
    default Subscription receive(Lane lane, int most, Runnable arrived) {
        return delegate().receive(lane, most, arrived);
    }

    @Override
    default Status status() {
        return delegate().status();
    }

    @Override
    default void close() {
        delegate().close();
    }
}
