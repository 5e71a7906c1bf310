package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base of the chapters of the queue kit. No rule checks how often or in which order messages arrive: a queue may
 * duplicate them and change their order. A rule that a message must not be delivered again therefore takes all copies
 * first.
 */
abstract class QueueRules {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    final QueueKit kit;

    FanoutQueue queue;

    private final List<Receiver> receivers = new ArrayList<>();

    QueueRules(QueueKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openQueue() {
        queue = kit.queue();
    }

    @AfterEach
    void closeReceivers() {
        receivers.forEach(Receiver::close);
    }

    /** Different texts, which also differ from those with another beginning. */
    static List<String> texts(String beginning, int count) {
        return IntStream.range(0, count).mapToObj(i -> beginning + "-" + i).toList();
    }

    static List<Message> messages(Lane lane, List<String> texts) {
        return texts.stream().map(text -> new Message(lane, text)).toList();
    }

    /** Sends messages that the queue must confirm, because it works. */
    static void send(FanoutQueue to, Lane lane, List<String> texts) {
        assertThat(to.send(messages(lane, texts)))
                .as("outcomes of %s messages", texts.size())
                .hasSize(texts.size())
                .containsOnly(Sent.CONFIRMED);
    }

    /** Sends some different messages. */
    final List<String> send(Lane lane, String beginning, int count) {
        List<String> texts = texts(beginning, count);
        send(queue, lane, texts);
        return texts;
    }

    final Receiver receiver(FanoutQueue from, Lane lane, int most) {
        Receiver receiver = new Receiver(kit, from, lane, most);
        receivers.add(receiver);
        return receiver;
    }

    final Receiver receiver(Lane lane, int most) {
        return receiver(queue, lane, most);
    }

    /** How often subscriptions were notified of messages after their end. */
    final int lateCalls() {
        return receivers.stream().mapToInt(Receiver::lateCalls).sum();
    }

    /** Waits until a condition holds, and fails if it does not hold in time. */
    final void eventually(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("the wait until %s", what)
                    .isLessThan(kit.longestWait());
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Waits for a while in which nothing should happen. */
    final void quiet() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < kit.quietTime().toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
