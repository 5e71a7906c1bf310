package io.feedkit.testkit.model;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.forwarding.ForwardingFanoutQueue;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue with one call that fails, as a process sees it. */
final class FaultyQueue implements ForwardingFanoutQueue {

    /** Which call fails, and how. */
    enum Failure {
        NONE,
        SEND_BEFORE,
        SEND_AFTER,
        SEND_REFUSED,
        SEND_UNKNOWN,
        SEND_LOST,
        POLL_BEFORE,
        POLL_AFTER,
        ACKNOWLEDGE_BEFORE,
        ACKNOWLEDGE_AFTER,
        STATUS_BEFORE,
        CLOSE_BEFORE,
        ACKNOWLEDGE_FORGOTTEN
    }

    private final FanoutQueue queue;
    private final Failure failure;
    private final AtomicInteger left;

    /**
     * @param number which call of its kind fails; 1 is the first. Polls count if they get something
     */
    FaultyQueue(FanoutQueue queue, Failure failure, int number) {
        this.queue = queue;
        this.failure = failure;
        this.left = new AtomicInteger(number);
    }

    boolean hasFailed() {
        return left.get() <= 0;
    }

    private boolean fails(String call) {
        return failure.name().startsWith(call) && left.decrementAndGet() == 0;
    }

    private static IllegalStateException gone() {
        return new IllegalStateException("the queue fails once");
    }

    @Override
    public FanoutQueue delegate() {
        return queue;
    }

    @Override
    public List<Sent> send(List<Message> messages) {
        if (!fails("SEND")) {
            return queue.send(messages);
        }
        if (failure == Failure.SEND_BEFORE) {
            throw gone();
        }
        boolean stored = failure != Failure.SEND_REFUSED && failure != Failure.SEND_LOST;
        if (stored) {
            queue.send(messages);
        }
        return switch (failure) {
            case SEND_REFUSED -> messages.stream().map(message -> Sent.REFUSED).toList();
            case SEND_UNKNOWN -> messages.stream().map(message -> Sent.UNKNOWN).toList();
            case SEND_LOST -> messages.stream().map(message -> Sent.CONFIRMED).toList();
            default -> throw gone();
        };
    }

    @Override
    public Status status() {
        if (fails("STATUS")) {
            throw gone();
        }
        return queue.status();
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        return new FaultySubscription(queue.receive(lane, most, arrived));
    }

    private final class FaultySubscription implements Subscription {
        private final Subscription subscription;

        FaultySubscription(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public List<Received> poll(int max) {
            if (failure == Failure.POLL_BEFORE && fails("POLL")) {
                throw gone();
            }
            List<Received> received = subscription.poll(max);
            if (failure == Failure.POLL_AFTER && !received.isEmpty() && fails("POLL")) {
                throw gone();
            }
            return received;
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            boolean fails = fails("ACKNOWLEDGE");
            if (!fails || failure == Failure.ACKNOWLEDGE_AFTER) {
                subscription.acknowledge(messages);
            }
            if (fails && failure != Failure.ACKNOWLEDGE_FORGOTTEN) {
                throw gone();
            }
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            subscription.refuse(messages, reason);
        }

        @Override
        public void close() {
            if (fails("CLOSE")) {
                throw gone();
            }
            subscription.close();
        }
    }
}
