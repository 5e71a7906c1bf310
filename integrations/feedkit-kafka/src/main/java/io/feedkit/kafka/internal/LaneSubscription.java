package io.feedkit.kafka.internal;

import io.feedkit.internal.check.Arguments;
import io.feedkit.kafka.internal.KafkaMessage.State;
import io.feedkit.kafka.internal.Settlement.Kind;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A buffer of messages, which the receivers fill and the callers empty. Thread-safe. */
final class LaneSubscription implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(LaneSubscription.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

    private final int most;
    private final Runnable arrived;
    private final Consumer<LaneSubscription> ended;
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock notifying = new ReentrantLock();
    private final Deque<KafkaMessage> buffer = new ArrayDeque<>();
    private int held;
    private volatile boolean closed;

    LaneSubscription(int most, Runnable arrived, Consumer<LaneSubscription> ended) {
        this.most = Arguments.between("most", most, 1, Integer.MAX_VALUE);
        this.arrived = Arguments.nonNull("arrived", arrived);
        this.ended = ended;
    }

    /** Lets a receiver fill the buffer, unless the subscription has ended. */
    void start(Receiver receiver) {
        receivers.add(receiver);
        receiver.start();
        if (closed) {
            receiver.stop();
        }
    }

    /** Removes a receiver that has ended. */
    void ended(Receiver receiver) {
        receivers.remove(receiver);
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return buffer.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int most() {
        return most;
    }

    @Override
    public List<Received> poll(int max) {
        List<Received> received = new ArrayList<>();
        lock.lock();
        try {
            while (!closed && received.size() < max && held < most && !buffer.isEmpty()) {
                KafkaMessage message = buffer.remove();
                message.setState(State.HELD);
                held++;
                received.add(message);
            }
        } finally {
            lock.unlock();
        }
        return received;
    }

    @Override
    public void acknowledge(Collection<? extends Received> messages) {
        settle(messages, Kind.ACKNOWLEDGED, "");
    }

    @Override
    public void refuse(Collection<? extends Received> messages, String reason) {
        settle(messages, Kind.REFUSED, reason);
    }

    private void settle(Collection<? extends Received> messages, Kind kind, String reason) {
        Map<Receiver, List<Settlement>> settled = new HashMap<>();
        boolean more;
        lock.lock();
        try {
            for (Received each : messages) {
                if (each instanceof KafkaMessage message
                        && receivers.contains(message.receiver())
                        && message.state() == State.HELD) {
                    message.setState(State.DONE);
                    held--;
                    settled.computeIfAbsent(message.receiver(), missing -> new ArrayList<>())
                            .add(new Settlement(message, kind, reason));
                }
            }
            more = !buffer.isEmpty();
        } finally {
            lock.unlock();
        }
        settled.forEach(Receiver::settle);
        if (more) {
            notifyArrived();
        }
    }

    /** How many messages are neither acknowledged nor refused. */
    int unsettled() {
        lock.lock();
        try {
            return held + buffer.size();
        } finally {
            lock.unlock();
        }
    }

    /** Adds received messages to the buffer. */
    void received(Collection<KafkaMessage> messages) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            buffer.addAll(messages);
        } finally {
            lock.unlock();
        }
        if (!messages.isEmpty()) {
            notifyArrived();
        }
    }

    /** Removes messages that will be delivered again. Later settlements of these messages are ignored. */
    void lost(Collection<KafkaMessage> messages) {
        lock.lock();
        try {
            for (KafkaMessage message : messages) {
                if (message.state() == State.HELD) {
                    held--;
                }
                message.setState(State.DONE);
            }
            buffer.removeIf(message -> message.state() == State.DONE);
        } finally {
            lock.unlock();
        }
    }

    /** Does not call the host after {@link #close}, which waits for a call under way. */
    private void notifyArrived() {
        notifying.lock();
        try {
            if (!closed) {
                arrived.run();
            }
        } catch (RuntimeException e) {
            LOG.warn("the host's callback for arrived messages must not throw", e);
        } finally {
            notifying.unlock();
        }
    }

    /** The first half of {@link #close}: stops receiving. */
    void stop() {
        notifying.lock();
        try {
            closed = true;
        } finally {
            notifying.unlock();
        }
        lock.lock();
        try {
            buffer.clear();
        } finally {
            lock.unlock();
        }
        receivers.forEach(Receiver::stop);
    }

    @Override
    public void close() {
        stop();
        long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
        receivers.forEach(receiver -> receiver.awaitEnd(deadline));
        ended.accept(this);
    }
}
