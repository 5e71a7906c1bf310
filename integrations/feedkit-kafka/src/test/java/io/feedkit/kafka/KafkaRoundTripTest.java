package io.feedkit.kafka;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A look at both modes; the profile {@code full} runs the compatibility kit in each. */
@DisplayName("A queue over Kafka")
class KafkaRoundTripTest {

    private static final int MESSAGES = 200;

    /** Ample: the first questions of a process take long. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Timeout(60)
    @DisplayName("delivers what it has confirmed, and does not deliver again what was acknowledged")
    void roundTrip(Mode mode) throws InterruptedException {
        String servers = KafkaServer.shared().bootstrapServers();
        Semaphore arrivals = new Semaphore(0);
        try (KafkaFanoutQueue queue = KafkaFanoutQueue.builder(TestQueues.settings(servers))
                .topicPrefix(TestQueues.newPrefix())
                .sendTimeout(LONGEST)
                .mode(mode)
                .build()) {
            // A new topic has no replica in sync for a moment.
            await().atMost(LONGEST).until(() -> queue.status() == Status.OPEN);
            List<Message> messages = TestQueues.messages("m", MESSAGES);
            assertThat(queue.send(messages)).hasSize(MESSAGES).containsOnly(Sent.CONFIRMED);
            List<String> received = new ArrayList<>();
            try (Subscription subscription = queue.receive(Lane.SMALL, MESSAGES, arrivals::release)) {
                while (received.size() < MESSAGES) {
                    assertThat(arrivals.tryAcquire(LONGEST.toMillis(), MILLISECONDS))
                            .isTrue();
                    received.addAll(TestQueues.take(subscription));
                }
                assertThat(TestQueues.take(subscription)).isEmpty();
            }
            assertThat(received).containsExactlyInAnyOrderElementsOf(TestQueues.texts(messages));
        }
    }
}
