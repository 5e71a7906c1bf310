package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.testkit.internal.Race;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many senders and receivers. */
@Tag("concurrency")
public abstract class QueueConcurrencyRules extends QueueRules {

    private static final int BATCHES = 15;
    private static final int BATCH = 10;

    protected QueueConcurrencyRules(QueueKit kit) {
        super(kit);
    }

    private static String name(int thread, int batch) {
        return "s" + thread + "b" + batch;
    }

    @Test
    @DisplayName("concurrent senders and receivers lose nothing, in one process or in two")
    void nothingLost() {
        FanoutQueue another = kit.anotherQueue();
        int senders = kit.threads() / 2;
        Set<String> awaited = ConcurrentHashMap.newKeySet();
        for (int sender = 0; sender < senders; sender++) {
            for (int batch = 0; batch < BATCHES; batch++) {
                awaited.addAll(texts(name(sender, batch), BATCH));
            }
        }
        List<Receiver> receivers = IntStream.range(senders, kit.threads())
                .mapToObj(thread -> receiver(thread % 2 == 0 ? queue : another, Lane.SMALL, 7))
                .toList();
        Race.run(kit.threads(), thread -> {
            if (thread < senders) {
                for (int batch = 0; batch < BATCHES; batch++) {
                    send(thread < 2 ? queue : another, Lane.SMALL, texts(name(thread, batch), BATCH));
                }
            } else {
                Receiver receiver = receivers.get(thread - senders);
                receiver.receiveUntil(awaited::isEmpty, () -> {
                    receiver.texts().forEach(awaited::remove);
                    receiver.acknowledgeAll();
                });
            }
            return true;
        });
        assertThat(awaited).as("messages that were not received").isEmpty();
    }

    @Test
    @DisplayName("threads that poll one subscription get different messages, together no more than the bound")
    void sharedSubscription() {
        List<String> texts = send(Lane.SMALL, "t", 40);
        Receiver receiver = receiver(Lane.SMALL, 25);
        Set<Received> returned = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        AtomicBoolean twice = new AtomicBoolean();
        Race.run(kit.threads(), thread -> {
            eventually("the bound is reached", () -> {
                receiver.subscription().poll(1).forEach(message -> {
                    if (!returned.add(message)) {
                        twice.set(true);
                    }
                });
                return returned.size() >= 25;
            });
            return true;
        });
        assertThat(receiver.subscription().poll(100))
                .as("messages beyond the bound")
                .isEmpty();
        assertThat(returned).as("messages returned").hasSize(25);
        assertThat(twice).as("a message went to two threads").isFalse();
        assertThat(texts)
                .as("messages sent")
                .containsAll(returned.stream().map(Received::text).toList());
    }

    @Test
    @DisplayName("many threads acknowledge a message once, and later messages are not affected")
    void acknowledgedAtOnce() {
        for (int round = 0; round < kit.rounds(); round++) {
            List<String> texts = send(Lane.SMALL, "r" + round, 6);
            Receiver receiver = receiver(Lane.SMALL, 100).receive(texts);
            Race.run(kit.threads(), thread -> {
                for (Received message : receiver.all()) {
                    receiver.subscription().acknowledge(List.of(message));
                }
                return true;
            });
            receiver.drain().close();
        }
        assertThat(receiver(Lane.SMALL, 100).receiveTheRest().texts())
                .as("messages that came again")
                .isEmpty();
    }

    @Test
    @DisplayName("messages outlive subscriptions that close while others poll and senders send")
    void closedAmidWork() {
        for (int round = 0; round < kit.rounds(); round++) {
            int number = round;
            Receiver closing = receiver(Lane.BULK, 5);
            Race.run(3, thread -> {
                if (thread == 0) {
                    send(queue, Lane.BULK, texts("r" + number, 5));
                } else if (thread == 1) {
                    closing.close();
                } else {
                    closing.subscription().poll(3);
                }
                return true;
            });
            closing.close();
            receiver(Lane.BULK, 100).receive(texts("r" + number, 5)).drain().close();
        }
        quiet();
        assertThat(lateCalls()).as("calls after a close").isZero();
    }
}
