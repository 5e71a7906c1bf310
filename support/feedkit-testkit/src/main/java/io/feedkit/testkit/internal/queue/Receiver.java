package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A subscription, and the messages that it has returned. It polls only after a notification that messages have arrived.
 */
final class Receiver implements AutoCloseable {

    private static final int MOST_POLLED = 64;

    /** The interval between checks of a condition that other threads may make true. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final QueueKit kit;
    private final Semaphore arrivals = new Semaphore(0);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger late = new AtomicInteger();
    private final List<Received> all = new ArrayList<>();
    private final List<Received> unacknowledged = new ArrayList<>();
    private final Subscription subscription;

    Receiver(QueueKit kit, FanoutQueue queue, Lane lane, int most) {
        this.kit = kit;
        this.subscription = queue.receive(lane, most, this::arrived);
    }

    private void arrived() {
        if (closed.get()) {
            late.incrementAndGet();
        }
        arrivals.release();
    }

    Subscription subscription() {
        return subscription;
    }

    /** All messages that have been returned, in their order. */
    List<Received> all() {
        return all;
    }

    List<String> texts() {
        return all.stream().map(Received::text).toList();
    }

    /** How often the queue has sent a notification after the end. */
    int lateCalls() {
        return late.get();
    }

    /** Takes the messages that have arrived. */
    List<Received> poll() {
        List<Received> polled = new ArrayList<>();
        List<Received> some = subscription.poll(MOST_POLLED);
        while (!some.isEmpty()) {
            assertThat(some).as("messages of one poll").hasSizeLessThanOrEqualTo(MOST_POLLED);
            polled.addAll(some);
            some = subscription.poll(MOST_POLLED);
        }
        all.addAll(polled);
        unacknowledged.addAll(polled);
        return polled;
    }

    /** Takes messages until the condition holds, or the next message does not come in time. */
    void receiveUntil(BooleanSupplier reached, Runnable afterPoll) {
        afterPoll.run();
        long progress = System.nanoTime();
        while (!reached.getAsBoolean()
                && System.nanoTime() - progress < kit.longestWait().toNanos()) {
            if (awaitNotification(LOOK_NANOS)) {
                if (!poll().isEmpty()) {
                    progress = System.nanoTime();
                }
                afterPoll.run();
            }
        }
    }

    /** Takes messages until all of these texts have arrived. */
    Receiver receive(Collection<String> texts) {
        receiveUntil(() -> texts().containsAll(texts), () -> {});
        assertThat(texts()).as("messages received").containsAll(texts);
        return this;
    }

    /** Takes this many messages, or more. */
    Receiver receive(int count) {
        receiveUntil(() -> all.size() >= count, () -> {});
        assertThat(all).as("messages received").hasSizeGreaterThanOrEqualTo(count);
        return this;
    }

    /** Takes further messages, until none arrives for a while. */
    Receiver receiveTheRest() {
        while (awaitNotification(kit.quietTime().toNanos())) {
            poll();
        }
        return this;
    }

    /** Takes and acknowledges further messages, until none arrives for a while. */
    Receiver drain() {
        acknowledgeAll();
        while (awaitNotification(kit.quietTime().toNanos())) {
            poll();
            acknowledgeAll();
        }
        return this;
    }

    void acknowledge(Collection<Received> messages) {
        subscription.acknowledge(List.copyOf(messages));
        unacknowledged.removeAll(messages);
        lookAgain();
    }

    void refuse(Collection<Received> messages, String reason) {
        subscription.refuse(List.copyOf(messages), reason);
        unacknowledged.removeAll(messages);
        lookAgain();
    }

    void acknowledgeAll() {
        if (!unacknowledged.isEmpty()) {
            acknowledge(List.copyOf(unacknowledged));
        }
    }

    /** A receiver that makes room polls without a notification. */
    private void lookAgain() {
        arrivals.release();
    }

    private boolean awaitNotification(long nanos) {
        try {
            boolean notified = arrivals.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            // Before the poll, so that messages which arrive during the poll cause another one.
            arrivals.drainPermits();
            return notified;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for messages", e);
        }
    }

    @Override
    public void close() {
        subscription.close();
        closed.set(true);
    }
}
