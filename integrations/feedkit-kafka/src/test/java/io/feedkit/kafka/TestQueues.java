package io.feedkit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Settings, messages and dead letters of queues under test. */
final class TestQueues {

    static final Duration SEND_TIMEOUT = Duration.ofSeconds(3);

    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static final Duration POLL = Duration.ofMillis(100);

    private TestQueues() {}

    /** A prefix that no other test of this server uses. */
    static String newPrefix() {
        return "test-" + PREFIXES.incrementAndGet();
    }

    /** A consumer that closes waits for the answer to its last question. */
    static Map<String, Object> settings(String bootstrapServers) {
        return Map.of("bootstrap.servers", bootstrapServers, "fetch.max.wait.ms", 20);
    }

    static KafkaFanoutQueue.Builder builder(String bootstrapServers, String prefix) {
        return KafkaFanoutQueue.builder(settings(bootstrapServers))
                .topicPrefix(prefix)
                .sendTimeout(SEND_TIMEOUT);
    }

    static List<Message> messages(String beginning, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Message(Lane.SMALL, beginning + "-" + i))
                .toList();
    }

    static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }

    /** Takes and acknowledges what has arrived. */
    static List<String> take(Subscription subscription) {
        List<Received> received = subscription.poll(1000);
        subscription.acknowledge(received);
        return received.stream().map(Received::text).toList();
    }

    static List<String> deadLetters(Map<String, Object> clientSettings, String prefix) {
        TopicPartition partition = new TopicPartition(prefix + "-dead", 0);
        List<String> texts = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(clientSettings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    texts.add(new String(record.value(), UTF_8));
                }
            }
        }
        return texts;
    }
}
