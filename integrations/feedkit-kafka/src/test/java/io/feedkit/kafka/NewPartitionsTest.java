package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.kafka.internal.ClientSettings;
import io.feedkit.kafka.internal.RecordSender;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A topic is known before all of its partitions take records. */
@DisplayName("A partition that begins")
class NewPartitionsTest {

    private static final int TOPICS = 8;
    private static final int PARTITIONS = 12;
    private static final int ROUNDS = 12;
    private static final int PAUSE_MILLIS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TestTopics topics = new TestTopics(KafkaServer.shared().bootstrapServers());

    /** What it refuses may be followed by what it takes. The former is sent again, and must then be taken. */
    @Test
    @DisplayName("takes all that is sent to it meanwhile")
    void meanwhile() throws InterruptedException {
        try (RecordSender sender = new RecordSender(ClientSettings.of(topics.settings()), "test", TIMEOUT)) {
            assertThat(sender.send(round(topics.create(TestTopics.newName(), 1), 1)))
                    .containsExactly(Sent.CONFIRMED);
            for (int i = 0; i < TOPICS; i++) {
                String topic = topics.create(TestTopics.newName(), PARTITIONS);
                List<CompletableFuture<List<Sent>>> sent = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    sent.add(CompletableFuture.supplyAsync(() -> sender.send(round(topic, PARTITIONS))));
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
                assertThat(sent)
                        .allSatisfy(answers -> assertThat(answers.join()).containsOnly(Sent.CONFIRMED));
            }
        }
    }

    private static List<ProducerRecord<byte[], byte[]>> round(String topic, int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new ProducerRecord<byte[], byte[]>(topic, partition, null, new byte[1]))
                .toList();
    }
}
