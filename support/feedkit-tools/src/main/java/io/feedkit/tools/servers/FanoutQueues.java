package io.feedkit.tools.servers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.FeedKitException;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Opens the queue that {@code --queue} names. */
public final class FanoutQueues {

    /** The workers claim their tasks from the store. */
    public static final String NONE = "none";

    private static final String MEMORY = "memory";

    /** The longest time that RabbitMQ's queue can keep a message. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

    private static final String NO_HOST =
            "queue must be a URI such as amqp://USER:PASSWORD@HOST:PORT; escape / # ? @ in "
                    + "the password as %2F %23 %3F %40";

    private FanoutQueues() {}

    /** An optional queue for one run. Closing it deletes the run's queues from the broker. */
    public record OpenQueue(Optional<FanoutQueue> queue, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty queue for one run. It keeps messages for a day.
     *
     * @param url the value of {@code --queue}
     * @param name the prefix of the names on a broker
     * @return the queue, or no queue
     * @throws IllegalArgumentException if the value is wrong, or the broker cannot be used
     */
    public static OpenQueue open(String url, String name) {
        if (url.equals(NONE)) {
            return new OpenQueue(Optional.empty(), () -> {});
        }
        if (url.equals(MEMORY)) {
            FanoutQueue queue = InMemoryFanoutQueue.create();
            return new OpenQueue(Optional.of(queue), queue::close);
        }
        if (!isRabbitMq(url) && !KafkaUrl.is(url)) {
            throw new IllegalArgumentException(
                    "queue must be none, memory, amqp://HOST:PORT or kafka://HOST:PORT, but is something else");
        }
        String prefix = name + "-" + RunKeys.random();
        FanoutQueue queue = connect(url, prefix, KEPT, SEND_TIMEOUT);
        return new OpenQueue(Optional.of(queue), () -> {
            queue.close();
            remove(url, prefix);
        });
    }

    /**
     * Checks that an address is the address of a broker, without connecting.
     *
     * @param url the address
     * @return the address
     * @throws IllegalArgumentException if it is not. The message does not show the address
     */
    public static String requireBroker(String url) {
        if (isRabbitMq(url)) {
            rabbitMq(url);
        } else if (KafkaUrl.is(url)) {
            KafkaUrl.settings("queue", url);
        } else {
            throw new IllegalArgumentException(
                    "queue must be amqp://HOST:PORT or kafka://HOST:PORT, but is something else");
        }
        return url;
    }

    /**
     * Connects to a queue that several processes may share.
     *
     * @param url the broker's address
     * @param prefix the prefix of the names on the broker
     * @param kept how long the broker keeps a message
     * @param sendTimeout the time-out of a send
     * @return the queue
     * @throws IllegalArgumentException if the broker cannot be used
     */
    public static FanoutQueue connect(String url, String prefix, Duration kept, Duration sendTimeout) {
        requireBroker(url);
        try {
            if (isRabbitMq(url)) {
                return RabbitMqFanoutQueue.builder(rabbitMq(url))
                        .queuePrefix(prefix)
                        .messageTtl(kept)
                        .sendTimeout(sendTimeout)
                        .build();
            }
            return KafkaFanoutQueue.builder(KafkaUrl.settings("queue", url))
                    .topicPrefix(prefix)
                    .retention(kept)
                    .sendTimeout(sendTimeout)
                    .build();
        } catch (FeedKitException e) {
            throw new IllegalArgumentException("queue cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes the queues or topics of a queue from its broker. No queue with the prefix may be open.
     *
     * @param url the broker's address
     * @param prefix the prefix of the names on the broker
     */
    public static void remove(String url, String prefix) {
        if (isRabbitMq(url)) {
            deleteQueues(rabbitMq(url), prefix);
        } else {
            KafkaUrl.deleteTopics("queue", url, List.of(prefix + "-small", prefix + "-bulk", prefix + "-dead"));
            KafkaUrl.deleteGroups("queue", url, prefix + "-");
        }
    }

    private static boolean isRabbitMq(String url) {
        return url.startsWith("amqp://") || url.startsWith("amqps://");
    }

    /**
     * No message shows any part of the URL. If the password has an unescaped character, the URL is parsed wrongly, and
     * any part of it may contain the password.
     */
    private static ConnectionFactory rabbitMq(String url) {
        try {
            if (new URI(url).getHost() == null) {
                throw new IllegalArgumentException(NO_HOST);
            }
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(url);
            return factory;
        } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(NO_HOST);
        }
    }

    private static void deleteQueues(ConnectionFactory factory, String prefix) {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (String queue : List.of(".small", ".bulk", ".dead")) {
                channel.queueDelete(prefix + queue);
            }
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the queues " + prefix + ".* could not be deleted from the broker", e);
        }
    }
}
