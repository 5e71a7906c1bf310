package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The end of subscriptions and queues. */
public abstract class QueueClosingRules extends QueueRules {

    protected QueueClosingRules(QueueKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a closed subscription returns nothing, even if messages have arrived")
    void nothingReturned() {
        Receiver receiver = receiver(Lane.SMALL, 10);
        send(Lane.SMALL, "t", 20);
        eventually("one has arrived", () -> !receiver.subscription().poll(1).isEmpty());
        receiver.close();
        assertThat(receiver.subscription().poll(10)).isEmpty();
        send(Lane.SMALL, "later", 5);
        quiet();
        assertThat(receiver.subscription().poll(10)).isEmpty();
    }

    @Test
    @DisplayName("a closed subscription is not notified of messages, even if they arrive during the close")
    void notTold() {
        for (int round = 0; round < kit.rounds(); round++) {
            Receiver receiver = receiver(Lane.SMALL, 100);
            send(Lane.SMALL, "t" + round, 3);
            receiver.close();
            send(Lane.SMALL, "u" + round, 3);
        }
        quiet();
        assertThat(lateCalls()).as("calls after a close").isZero();
    }

    @Test
    @DisplayName("a close waits until a running notification has returned")
    void waitsForCall() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        Subscription subscription = queue.receive(Lane.SMALL, 10, () -> {
            if (called.getCount() > 0) {
                called.countDown();
                quiet();
                returned.set(true);
            }
        });
        // A queue in memory notifies on the thread of the sender.
        Thread sender = new Thread(() -> send(Lane.SMALL, "t", 1), "sender");
        sender.start();
        assertThat(called.await(kit.longestWait().toMillis(), TimeUnit.MILLISECONDS))
                .as("notified of a message")
                .isTrue();
        subscription.close();
        assertThat(returned).as("the notification has returned").isTrue();
        sender.join();
    }

    @Test
    @DisplayName("closing twice has no further effect")
    void idempotent() {
        List<String> texts = send(Lane.SMALL, "t", 5);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts);
        first.close();
        first.close();
        Receiver second = receiver(Lane.SMALL, 100).receive(texts).drain();
        first.close();
        second.receive(send(Lane.SMALL, "later", 5));
    }

    @Test
    @DisplayName("a closed queue ends its subscriptions, confirms nothing, and is unreachable")
    void queueCloses() {
        assertThat(queue.status()).isEqualTo(Status.OPEN);
        Receiver receiver = receiver(Lane.SMALL, 10);
        receiver.receive(send(Lane.SMALL, "t", 5));
        send(Lane.SMALL, "more", 5);
        quiet();
        queue.close();
        assertThat(receiver.subscription().poll(10)).isEmpty();
        receiver.acknowledge(List.copyOf(receiver.all()));
        receiver.refuse(List.copyOf(receiver.all()), "closed");
        assertThat(queue.send(messages(Lane.SMALL, List.of("late", "later"))))
                .hasSize(2)
                .doesNotContain(Sent.CONFIRMED);
        assertThat(queue.status()).isEqualTo(Status.UNREACHABLE);
        queue.close();
        receiver.subscription().close();
    }
}
