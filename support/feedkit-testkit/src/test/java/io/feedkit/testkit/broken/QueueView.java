package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A queue in memory as one process of many sees it. Its connection can be cut. */
final class QueueView implements FanoutQueue {

    private final InMemoryFanoutQueue sound;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private boolean cut;
    private boolean closed;

    QueueView(InMemoryFanoutQueue sound) {
        this.sound = sound;
    }

    synchronized void cut() {
        cut = true;
        lines.forEach(Line::disconnect);
    }

    synchronized void mend() {
        if (cut && !closed) {
            cut = false;
            lines.forEach(Line::connect);
        }
    }

    private synchronized boolean reachable() {
        return !cut && !closed;
    }

    @Override
    public List<Sent> send(List<Message> messages) {
        return reachable() ? sound.send(messages) : Collections.nCopies(messages.size(), Sent.UNKNOWN);
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        Line line = new Line(lane, most, arrived);
        synchronized (this) {
            lines.add(line);
            if (reachable()) {
                line.connect();
            }
        }
        return line;
    }

    @Override
    public Status status() {
        return reachable() ? Status.OPEN : Status.UNREACHABLE;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        lines.forEach(Line::close);
    }

    /** A subscription that begins anew with each connection. */
    private final class Line implements Subscription {

        private final Lane lane;
        private final int most;
        private final Runnable arrived;
        private volatile List<Subscription> connected = List.of();

        Line(Lane lane, int most, Runnable arrived) {
            this.lane = lane;
            this.most = most;
            this.arrived = arrived;
        }

        void connect() {
            connected = List.of(sound.receive(lane, most, arrived));
        }

        void disconnect() {
            List<Subscription> ended = connected;
            connected = List.of();
            ended.forEach(Subscription::close);
        }

        private void whereConnected(Consumer<Subscription> call) {
            connected.forEach(call);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> received = new ArrayList<>();
            whereConnected(subscription -> received.addAll(subscription.poll(max)));
            return received;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            whereConnected(subscription -> subscription.acknowledge(messages));
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            whereConnected(subscription -> subscription.refuse(messages, reason));
        }

        @Override
        public void close() {
            lines.remove(this);
            disconnect();
        }
    }
}
