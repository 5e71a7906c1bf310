package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The messages that subscriptions receive. */
public abstract class QueueReceivingRules extends QueueRules {

    protected QueueReceivingRules(QueueKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a subscription receives messages sent before it began and messages sent later")
    void beforeAndLater() {
        List<String> before = send(Lane.SMALL, "before", 10);
        Receiver receiver = receiver(Lane.SMALL, 100).receive(before);
        receiver.receive(send(Lane.SMALL, "later", 10));
    }

    @Test
    @DisplayName("a poll returns at most the requested number of messages, and none if there are none")
    void atMost() {
        Receiver receiver = receiver(Lane.SMALL, 100);
        assertThat(receiver.subscription().poll(10)).isEmpty();
        List<String> texts = send(Lane.SMALL, "t", 9);
        Set<String> seen = new HashSet<>();
        eventually("all have arrived", () -> {
            List<Received> some = receiver.subscription().poll(2);
            assertThat(some).hasSizeLessThanOrEqualTo(2);
            some.forEach(message -> seen.add(message.text()));
            return seen.containsAll(texts);
        });
    }

    @Test
    @DisplayName("a subscription returns a message once")
    void returnedOnce() {
        List<String> texts = send(Lane.SMALL, "t", 20);
        Receiver receiver = receiver(Lane.SMALL, 100).receive(texts).receiveTheRest();
        Set<Received> different = Collections.newSetFromMap(new IdentityHashMap<>());
        different.addAll(receiver.all());
        assertThat(receiver.all()).as("messages received").hasSameSizeAs(different);
        assertThat(new HashSet<>(receiver.all()))
                .as("messages that are not equal")
                .hasSameSizeAs(different);
    }

    @Test
    @DisplayName("a process receives messages that another process has sent")
    void anotherProcess() {
        FanoutQueue another = kit.anotherQueue();
        List<String> texts = texts("t", 10);
        send(another, Lane.BULK, texts);
        receiver(Lane.BULK, 100).receive(texts).drain().close();
        receiver(another, Lane.BULK, 100).receive(send(Lane.BULK, "back", 10));
    }

    @Test
    @DisplayName("several subscriptions share the messages of a lane, in one process or in two")
    void shared() {
        Receiver first = receiver(Lane.SMALL, 5);
        Receiver second = receiver(kit.anotherQueue(), Lane.SMALL, 5);
        List<String> texts = send(Lane.SMALL, "t", 60);
        first.receive(5);
        second.receive(1);
        Set<String> received = new HashSet<>();
        eventually("all messages were received", () -> {
            for (Receiver each : List.of(first, second)) {
                each.poll();
                each.acknowledgeAll();
                received.addAll(each.texts());
            }
            return received.containsAll(texts);
        });
    }

    @Test
    @DisplayName("a subscription that polls no messages withholds at most its bound from the others")
    void idleNeighbour() {
        assumeFalse(kit.partitioned(), "a subscription that takes nothing holds up its parts");
        FanoutQueue another = kit.anotherQueue();
        Receiver idle = receiver(another, Lane.SMALL, 2);
        Receiver busy = receiver(Lane.SMALL, 100);
        List<String> texts = send(Lane.SMALL, "t", 40);
        busy.receiveUntil(() -> new HashSet<>(busy.texts()).size() >= texts.size() - 2, busy::acknowledgeAll);
        Set<String> missing = new HashSet<>(texts);
        missing.removeAll(busy.texts());
        assertThat(missing).as("messages that the idle subscription holds").hasSizeLessThanOrEqualTo(2);
        idle.close();
        busy.receive(new ArrayList<>(missing));
    }
}
