package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The answers to senders, and the resulting content of the queue. */
public abstract class QueueSendingRules extends QueueRules {

    private static final String VISIBLE =
            IntStream.rangeClosed('!', '~').mapToObj(Character::toString).collect(Collectors.joining());

    protected QueueSendingRules(QueueKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("every confirmed message arrives, from small batches and large ones")
    void everythingArrives() {
        List<String> texts = new ArrayList<>();
        for (int size : new int[] {1, 7, 256, 1}) {
            texts.addAll(send(Lane.SMALL, "batch-" + texts.size(), size));
        }
        Receiver receiver = receiver(Lane.SMALL, 1000).receive(texts).receiveTheRest();
        assertThat(texts).as("messages sent").containsAll(receiver.texts());
    }

    @Test
    @DisplayName("messages can be sent to a lane with many receivers or none")
    void sentToReceivers() {
        Receiver receiver = receiver(Lane.SMALL, 100);
        List<String> first = send(Lane.SMALL, "first", 5);
        receiver.receive(first);
        receiver.receive(send(Lane.SMALL, "second", 5));
        List<String> waiting = send(Lane.BULK, "waiting", 5);
        receiver(Lane.BULK, 100).receive(waiting);
    }

    @Test
    @DisplayName("each message gets an answer, and an empty batch none")
    void answers() {
        assertThat(queue.send(List.of())).isEmpty();
        assertThat(queue.send(List.of(
                        new Message(Lane.SMALL, "a"), new Message(Lane.BULK, "b"), new Message(Lane.SMALL, "c"))))
                .containsExactly(Sent.CONFIRMED, Sent.CONFIRMED, Sent.CONFIRMED);
    }

    @Test
    @DisplayName("texts arrive unchanged: every visible character, the shortest and the longest text")
    void texts() {
        List<String> texts = List.of(
                "a",
                "~",
                VISIBLE,
                new StringBuilder(VISIBLE).reverse().toString(),
                "{\"task\":\"1\"}",
                "x".repeat(FanoutQueue.LONGEST_TEXT),
                (VISIBLE + VISIBLE + VISIBLE).substring(0, FanoutQueue.LONGEST_TEXT));
        send(queue, Lane.BULK, texts);
        Receiver receiver = receiver(Lane.BULK, 100).receive(texts).receiveTheRest();
        assertThat(receiver.texts()).as("texts").isSubsetOf(texts);
    }

    @Test
    @DisplayName("lanes are separate: messages arrive in the lane that they were sent to")
    void lanesApart() {
        List<Message> mixed = new ArrayList<>();
        for (String text : texts("t", 20)) {
            mixed.add(new Message(Lane.SMALL, "small-" + text));
            mixed.add(new Message(Lane.BULK, "bulk-" + text));
        }
        assertThat(queue.send(mixed)).containsOnly(Sent.CONFIRMED);
        for (Lane lane : Lane.values()) {
            List<String> texts = mixed.stream()
                    .filter(message -> message.lane() == lane)
                    .map(Message::text)
                    .toList();
            Receiver receiver = receiver(lane, 100).receive(texts).receiveTheRest();
            assertThat(receiver.texts()).as("texts of the lane %s", lane).isSubsetOf(texts);
        }
    }

    @Test
    @DisplayName("a lane with unacknowledged messages does not delay the other lane")
    void lanesDoNotWait() {
        send(Lane.BULK, "bulk", 100);
        receiver(Lane.BULK, 3).receive(3);
        Receiver small = receiver(Lane.SMALL, 100);
        small.receive(send(Lane.SMALL, "small", 3));
    }

    @Test
    @DisplayName("a confirmed message is stored: it arrives even if its sender closes the queue at once")
    void senderCloses() {
        FanoutQueue sender = kit.anotherQueue();
        assumeTrue(sender != queue, "the queue exists in this process only");
        List<String> texts = texts("t", 50);
        send(sender, Lane.SMALL, texts);
        sender.close();
        receiver(Lane.SMALL, 100).receive(texts);
    }

    @Test
    @DisplayName("a full lane does not confirm messages that it drops, and does not store messages that it refuses")
    void full() {
        assumeTrue(kit.capacity().isPresent(), "the queue has no bound");
        int capacity = kit.capacity().getAsInt();
        List<String> confirmed = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (int batch = 0; batch < 6; batch++) {
            List<String> texts = texts("batch-" + batch, Math.max(1, capacity / 2));
            List<Sent> answers = queue.send(messages(Lane.SMALL, texts));
            assertThat(answers).hasSameSizeAs(texts);
            for (int i = 0; i < texts.size(); i++) {
                if (answers.get(i) == Sent.CONFIRMED) {
                    confirmed.add(texts.get(i));
                } else if (answers.get(i) == Sent.REFUSED) {
                    refused.add(texts.get(i));
                }
            }
        }
        assertThat(refused).as("messages refused beyond %s", capacity).isNotEmpty();
        send(queue, Lane.BULK, List.of("other-lane"));
        Receiver receiver =
                receiver(Lane.SMALL, 2 * 6 * capacity).receive(confirmed).drain();
        assertThat(receiver.texts()).as("messages received").doesNotContainAnyElementsOf(refused);
        assertThat(confirmed).as("messages confirmed").hasSizeGreaterThanOrEqualTo(capacity / 2);
        eventually(
                "there is room again",
                () -> queue.send(messages(Lane.SMALL, List.of("room"))).equals(List.of(Sent.CONFIRMED)));
    }
}
