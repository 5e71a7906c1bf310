package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The number of messages that a subscription has received and not yet acknowledged. */
public abstract class QueueBoundRules extends QueueRules {

    protected QueueBoundRules(QueueKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a subscription receives no more messages than its bound until it acknowledges some")
    void acknowledged() {
        List<String> texts = send(Lane.SMALL, "t", 12);
        Receiver receiver = receiver(Lane.SMALL, 3).receive(3).receiveTheRest();
        assertThat(receiver.all()).as("messages received").hasSize(3);
        List<Received> first = List.copyOf(receiver.all());
        receiver.acknowledge(first.subList(1, 3));
        receiver.receive(5).receiveTheRest();
        assertThat(receiver.all()).as("messages after two acknowledgements").hasSize(5);
        receiver.acknowledge(first.subList(1, 3));
        receiver.receiveTheRest();
        assertThat(receiver.all())
                .as("messages after repeated acknowledgements")
                .hasSize(5);
        receiver.receiveUntil(() -> receiver.texts().containsAll(texts), receiver::acknowledgeAll);
        assertThat(receiver.texts()).containsAll(texts);
    }

    @Test
    @DisplayName("a message that is refused makes room for another")
    void refused() {
        send(Lane.BULK, "t", 5);
        Receiver receiver = receiver(Lane.BULK, 2).receive(2);
        receiver.refuse(List.copyOf(receiver.all()), "unknown");
        receiver.receive(4).receiveTheRest();
        assertThat(receiver.all()).as("messages received").hasSize(4);
    }

    @Test
    @DisplayName("a bound of one lets the messages through one by one")
    void oneByOne() {
        List<String> texts = send(Lane.SMALL, "t", 8);
        Receiver receiver = receiver(Lane.SMALL, 1);
        receiver.receiveUntil(() -> receiver.texts().containsAll(texts), receiver::acknowledgeAll);
        assertThat(receiver.texts()).containsAll(texts);
    }
}
