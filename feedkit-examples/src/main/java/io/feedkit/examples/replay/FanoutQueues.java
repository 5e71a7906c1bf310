package io.feedkit.examples.replay;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.FeedKitException;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.InMemoryFanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** How tasks can reach the workers: the one place that turns what {@code --queue} says into a queue. */
final class FanoutQueues {

    /** The workers claim their tasks from the store. */
    static final String NONE = "none";

    private static final String KAFKA = "kafka://";

    private FanoutQueues() {}

    /** A queue for one run, if there is to be one. Closing it removes what the run left on a broker. */
    record OpenQueue(Optional<FanoutQueue> queue, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty queue.
     *
     * @throws IllegalArgumentException if there is no such queue
     */
    static OpenQueue open(String url) {
        if (url.equals(NONE)) {
            return new OpenQueue(Optional.empty(), () -> {});
        }
        if (url.equals("memory")) {
            FanoutQueue queue = InMemoryFanoutQueue.create();
            return new OpenQueue(Optional.of(queue), queue::close);
        }
        if (url.startsWith("amqp://") || url.startsWith("amqps://")) {
            return openRabbitMq(url);
        }
        if (url.startsWith(KAFKA)) {
            return openKafka(Map.of("bootstrap.servers", url.substring(KAFKA.length())));
        }
        throw new IllegalArgumentException(
                "queue must be none, memory, amqp://HOST:PORT or kafka://HOST:PORT, but is another");
    }

    private static OpenQueue openRabbitMq(String url) {
        String prefix = newPrefix();
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(url);
            FanoutQueue queue =
                    RabbitMqFanoutQueue.builder(factory).queuePrefix(prefix).build();
            return new OpenQueue(Optional.of(queue), () -> {
                queue.close();
                deleteQueues(factory, prefix);
            });
        } catch (FeedKitException | URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("queue cannot be used: " + e.getMessage(), e);
        }
    }

    private static OpenQueue openKafka(Map<String, Object> settings) {
        String prefix = newPrefix();
        try {
            FanoutQueue queue =
                    KafkaFanoutQueue.builder(settings).topicPrefix(prefix).build();
            return new OpenQueue(Optional.of(queue), () -> {
                queue.close();
                deleteTopics(settings, prefix);
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("queue cannot be used: " + e.getMessage(), e);
        }
    }

    private static void deleteTopics(Map<String, Object> settings, String prefix) {
        try (Admin admin = Admin.create(settings)) {
            admin.deleteTopics(List.of(prefix + "-small", prefix + "-bulk", prefix + "-dead"))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics " + prefix + "-* are left on the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String newPrefix() {
        return "feedkit.replay-" + Long.toHexString(new SecureRandom().nextLong());
    }

    private static void deleteQueues(ConnectionFactory factory, String prefix) {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (String queue : List.of(".small", ".bulk", ".dead")) {
                channel.queueDelete(prefix + queue);
            }
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the queues " + prefix + ".* are left on the broker", e);
        }
    }
}
