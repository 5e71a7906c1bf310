package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which messages are delivered again. */
public abstract class QueueAcknowledgementRules extends QueueRules {

    protected QueueAcknowledgementRules(QueueKit kit) {
        super(kit);
    }

    private static List<Received> even(Receiver receiver) {
        return receiver.all().stream().filter(QueueAcknowledgementRules::even).toList();
    }

    private static boolean even(Received message) {
        return Integer.parseInt(message.text().substring(message.text().indexOf('-') + 1)) % 2 == 0;
    }

    @Test
    @DisplayName("messages that were not acknowledged are delivered again after their subscription has ended")
    void unacknowledged() {
        List<String> texts = send(Lane.SMALL, "t", 10);
        receiver(Lane.SMALL, 100).receive(texts).close();
        receiver(Lane.SMALL, 100).receive(texts).close();
        receiver(kit.anotherQueue(), Lane.SMALL, 100).receive(texts);
    }

    @Test
    @DisplayName(
            "messages that have arrived and were not polled are delivered again after their subscription has ended")
    void untaken() {
        Receiver first = receiver(Lane.SMALL, 100);
        List<String> texts = send(Lane.SMALL, "t", 10);
        eventually("one has arrived", () -> !first.subscription().poll(1).isEmpty());
        first.close();
        receiver(Lane.SMALL, 100).receive(texts);
    }

    @Test
    @DisplayName("messages that were acknowledged are not delivered again")
    void acknowledged() {
        List<String> texts = send(Lane.SMALL, "t", 30);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts).drain();
        assertThat(first.receiveTheRest().texts()).isSubsetOf(texts);
        first.close();
        Receiver second = receiver(Lane.SMALL, 100).receiveTheRest();
        assertThat(second.texts()).as("messages after their acknowledgement").isEmpty();
    }

    @Test
    @DisplayName("messages can be acknowledged one by one, in any order")
    void someAcknowledged() {
        assumeFalse(kit.partitioned(), "the queue remembers how far it was acknowledged");
        List<String> texts = send(Lane.SMALL, "t", 20);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts).receiveTheRest();
        List<Received> even = even(first);
        for (int i = even.size() - 1; i >= 0; i--) {
            first.acknowledge(List.of(even.get(i)));
        }
        first.close();
        List<String> odd = first.all().stream()
                .filter(message -> !even(message))
                .map(Received::text)
                .distinct()
                .toList();
        Receiver second = receiver(Lane.SMALL, 100).receive(odd).receiveTheRest();
        assertThat(second.texts()).as("messages that were delivered again").isSubsetOf(odd);
    }

    @Test
    @DisplayName("a batch of acknowledgements with gaps leaves the messages in the gaps")
    void gaps() {
        List<String> texts = send(Lane.SMALL, "t", 20);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts).receiveTheRest();
        first.acknowledge(even(first));
        first.close();
        receiver(Lane.SMALL, 100)
                .receive(first.all().stream()
                        .filter(message -> !even(message))
                        .map(Received::text)
                        .toList());
    }

    @Test
    @DisplayName("messages that were refused are dead letters, and are not delivered again")
    void refused() {
        List<String> texts = send(Lane.BULK, "t", 10);
        Receiver first = receiver(Lane.BULK, 100).receive(texts).receiveTheRest();
        List<String> dead = even(first).stream().map(Received::text).distinct().toList();
        first.refuse(even(first), "the text names no loan, or one of \"another\" format");
        first.acknowledgeAll();
        eventually("the refused ones are dead letters", () -> kit.deadLetters().containsAll(dead));
        first.close();
        assertThat(receiver(Lane.BULK, 100).receiveTheRest().texts())
                .as("messages that were delivered again")
                .isEmpty();
        assertThat(kit.deadLetters()).as("dead letters").isSubsetOf(dead);
    }

    @Test
    @DisplayName("repeated acknowledgements and refusals are ignored, and so are empty ones")
    void repeated() {
        List<String> texts = send(Lane.SMALL, "t", 10);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts).receiveTheRest();
        List<Received> all = List.copyOf(first.all());
        first.acknowledge(List.of());
        first.refuse(List.of(), "none");
        first.acknowledge(all.subList(0, 2));
        first.acknowledge(all.subList(0, 4));
        first.refuse(all.subList(0, 4), "too late");
        first.acknowledge(List.of(all.get(5), all.get(5)));
        Receiver same = first.receive(send(Lane.SMALL, "later", 5)).receiveTheRest();
        first.acknowledge(all);
        same.acknowledgeAll();
        same.drain();
        same.close();
        assertThat(receiver(Lane.SMALL, 100).receiveTheRest().texts())
                .as("messages that were delivered again")
                .isEmpty();
        assertThat(kit.deadLetters()).as("dead letters").isEmpty();
    }

    @Test
    @DisplayName("an acknowledgement that comes after the end of the subscription is ignored")
    void afterTheEnd() {
        List<String> texts = send(Lane.SMALL, "t", 5);
        Receiver first = receiver(Lane.SMALL, 100).receive(texts);
        first.close();
        Receiver second = receiver(Lane.SMALL, 100).receive(texts);
        first.acknowledge(List.copyOf(first.all()));
        first.refuse(List.copyOf(first.all()), "too late");
        second.close();
        receiver(Lane.SMALL, 100).receive(texts);
        assertThat(kit.deadLetters()).as("dead letters").isEmpty();
    }
}
