package io.feedkit.memory;

import io.feedkit.internal.check.Arguments;
import io.feedkit.queue.FanoutQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue in this process, for hosts' tests and for several engines in one process. It delivers messages in first-in,
 * first-out order. It delivers each message once, unless a subscription ends without acknowledging it. When the process
 * ends, its messages are lost. Their posts are then delivered late, but no post is lost. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryFanoutQueue implements FanoutQueue {

    /** How many messages a queue holds by default: twice the largest window. */
    public static final int DEFAULT_CAPACITY = 20_000;

    private static final int MOST_DEAD_LETTERS = 1000;

    private record Unacknowledged(String text) implements Received {

        /** Two messages with the same text are different messages. */
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Lane, Deque<String>> waiting = new EnumMap<>(Lane.class);
    private final List<LaneSubscription> subscriptions = new CopyOnWriteArrayList<>();
    private final Deque<String> deadLetters = new ArrayDeque<>();
    private boolean closed;

    private InMemoryFanoutQueue(int capacity) {
        this.capacity = capacity;
        for (Lane lane : Lane.values()) {
            waiting.put(lane, new ArrayDeque<>());
        }
    }

    /**
     * Creates an empty queue.
     *
     * @return the queue
     */
    public static InMemoryFanoutQueue create() {
        return create(DEFAULT_CAPACITY);
    }

    /**
     * Creates an empty queue that refuses messages while it is full.
     *
     * @param capacity how many messages of a lane may wait, at least 1
     * @return the queue
     */
    public static InMemoryFanoutQueue create(int capacity) {
        return new InMemoryFanoutQueue(Arguments.between("capacity", capacity, 1, Integer.MAX_VALUE));
    }

    @Override
    public List<Sent> send(List<Message> messages) {
        List<Sent> answers = new ArrayList<>(messages.size());
        lock.lock();
        try {
            for (Message message : messages) {
                Deque<String> lane = lane(message.lane());
                boolean room = !closed && lane.size() < capacity;
                if (room) {
                    lane.add(message.text());
                }
                answers.add(room ? Sent.CONFIRMED : Sent.REFUSED);
            }
        } finally {
            lock.unlock();
        }
        messages.stream().map(Message::lane).distinct().forEach(this::notifyArrived);
        return Collections.unmodifiableList(answers);
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        LaneSubscription subscription = new LaneSubscription(lane, most, arrived);
        boolean messages;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the queue is closed");
            }
            subscriptions.add(subscription);
            messages = !lane(lane).isEmpty();
        } finally {
            lock.unlock();
        }
        if (messages) {
            subscription.notifyArrived();
        }
        return subscription;
    }

    @Override
    public Status status() {
        lock.lock();
        try {
            return closed ? Status.UNREACHABLE : Status.OPEN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts the messages of a lane that no subscription has received.
     *
     * @param lane the lane
     * @return the number of messages
     */
    public int waiting(Lane lane) {
        lock.lock();
        try {
            return lane(lane).size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lists the latest messages that were refused, oldest first, at most {@value #MOST_DEAD_LETTERS}.
     *
     * @return the texts of the messages
     */
    public List<String> deadLetters() {
        lock.lock();
        try {
            return List.copyOf(deadLetters);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "InMemoryFanoutQueue[" + capacity + "]";
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        subscriptions.forEach(LaneSubscription::close);
    }

    private Deque<String> lane(Lane lane) {
        Deque<String> found = waiting.get(lane);
        if (found == null) {
            throw new IllegalArgumentException("lane must not be null");
        }
        return found;
    }

    private void notifyArrived(Lane lane) {
        for (LaneSubscription subscription : subscriptions) {
            if (subscription.lane == lane) {
                subscription.notifyArrived();
            }
        }
    }

    private final class LaneSubscription implements Subscription {

        private final Lane lane;
        private final int most;
        private final Runnable arrived;
        private final ReentrantLock notifying = new ReentrantLock();
        private final Set<Unacknowledged> held = new LinkedHashSet<>();
        private volatile boolean over;

        LaneSubscription(Lane lane, int most, Runnable arrived) {
            this.lane = lane;
            this.most = Arguments.between("most", most, 1, Integer.MAX_VALUE);
            this.arrived = Arguments.nonNull("arrived", arrived);
        }

        @Override
        public List<Received> poll(int max) {
            List<Received> received = new ArrayList<>();
            lock.lock();
            try {
                Deque<String> texts = lane(lane);
                while (!over && received.size() < max && held.size() < most && !texts.isEmpty()) {
                    Unacknowledged message = new Unacknowledged(texts.remove());
                    held.add(message);
                    received.add(message);
                }
            } finally {
                lock.unlock();
            }
            return received;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            settle(messages, false);
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            settle(messages, true);
        }

        private void settle(Collection<? extends Received> messages, boolean dead) {
            boolean more;
            lock.lock();
            try {
                for (Received message : messages) {
                    if (held.remove(message) && dead) {
                        deadLetters.add(message.text());
                    }
                }
                while (deadLetters.size() > MOST_DEAD_LETTERS) {
                    deadLetters.remove();
                }
                more = !lane(lane).isEmpty();
            } finally {
                lock.unlock();
            }
            if (more) {
                notifyArrived();
            }
        }

        /** Calls {@code arrived}, but not after {@link #close}, which waits for a call under way. */
        void notifyArrived() {
            notifying.lock();
            try {
                if (!over) {
                    arrived.run();
                }
            } finally {
                notifying.unlock();
            }
        }

        /** Waits for a call of {@code arrived} under way, and prevents further calls. */
        private void awaitNotified() {
            notifying.lock();
            try {
                over = true;
            } finally {
                notifying.unlock();
            }
        }

        @Override
        public void close() {
            boolean returned;
            lock.lock();
            try {
                over = true;
                returned = !held.isEmpty();
                List<Unacknowledged> newestFirst = new ArrayList<>(held);
                Collections.reverse(newestFirst);
                newestFirst.forEach(message -> lane(lane).addFirst(message.text()));
                held.clear();
                subscriptions.remove(this);
            } finally {
                lock.unlock();
            }
            awaitNotified();
            if (returned) {
                InMemoryFanoutQueue.this.notifyArrived(lane);
            }
        }
    }
}
