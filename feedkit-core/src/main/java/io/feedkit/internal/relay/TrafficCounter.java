package io.feedkit.internal.relay;

import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Status;

/** Sums up an engine's traffic with its queue, and tells the listener of it. Thread-safe. */
final class TrafficCounter {

    private final FanoutQueue queue;
    private final GuardedListener listener;
    private QueueTraffic total = QueueTraffic.NONE;
    private boolean wasOpen = true;

    TrafficCounter(FanoutQueue queue, GuardedListener listener) {
        this.queue = queue;
        this.listener = listener;
    }

    /** The traffic since the engine was built. */
    synchronized QueueTraffic total() {
        return total.plus(traffic(0, 0, 0, 0, 0, 0));
    }

    /** Counts what a relay has sent. */
    void sent(int lent, long lapsed, int unconfirmed) {
        add(traffic(lent, lapsed, unconfirmed, 0, 0, 0));
    }

    /** Counts what workers have received: loans that they have taken, and loans that nobody can take any more. */
    void received(int taken, int refused) {
        add(traffic(0, 0, 0, taken, refused, 0));
    }

    void unreadable(int messages) {
        add(traffic(0, 0, 0, 0, 0, messages));
    }

    /** Tells if the queue can be used no more, or again. */
    void state(boolean open) {
        boolean changed;
        synchronized (this) {
            changed = open != wasOpen;
            wasOpen = open;
        }
        if (changed) {
            add(traffic(0, 0, 0, 0, 0, 0));
        }
    }

    private QueueTraffic traffic(long lent, long lapsed, long unconfirmed, long taken, long refused, long unreadable) {
        return new QueueTraffic(lent, lapsed, unconfirmed, taken, refused, unreadable, queue.status() != Status.OPEN);
    }

    private void add(QueueTraffic traffic) {
        synchronized (this) {
            total = total.plus(traffic);
        }
        listener.tell(listener -> listener.queueTraffic(traffic));
    }
}
