package io.feedkit.internal.relay;

import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.host.GuardedListener;

/** Sums up an engine's traffic with its queue, and reports it to the listener. Thread-safe. */
final class TrafficCounter {

    private final QueueHealth health;
    private final GuardedListener listener;
    private QueueTraffic total = QueueTraffic.NONE;
    private boolean wasOpen = true;

    TrafficCounter(QueueHealth health, GuardedListener listener) {
        this.health = health;
        this.listener = listener;
    }

    /** The traffic since the engine was built. */
    synchronized QueueTraffic total() {
        return total.plus(traffic().build());
    }

    /** Counts the tasks that a relay has sent, and those that it has left to direct claims. */
    void sent(int lent, long lapsed, int undelivered, int unconfirmed) {
        add(traffic().lent(lent).lapsed(lapsed).undelivered(undelivered).unconfirmed(unconfirmed));
    }

    /**
     * Counts the loans that workers have received: those that they have taken, and those that can no longer be taken.
     */
    void received(int taken, int refused) {
        add(traffic().taken(taken).refused(refused));
    }

    void unreadable(int messages) {
        add(traffic().unreadable(messages));
    }

    void foreign(int messages) {
        add(traffic().foreign(messages));
    }

    /** Reports whether the queue can be used, if that has changed. */
    void state(boolean open) {
        boolean changed;
        synchronized (this) {
            changed = open != wasOpen;
            wasOpen = open;
        }
        if (changed) {
            add(traffic());
        }
    }

    private QueueTraffic.Builder traffic() {
        return QueueTraffic.builder().blocked(health.isBlocked());
    }

    private void add(QueueTraffic.Builder counted) {
        QueueTraffic traffic = counted.build();
        synchronized (this) {
            total = total.plus(traffic);
        }
        listener.notify(listener -> listener.queueTraffic(traffic));
    }
}
