package io.feedkit.bench.brokers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A channel of RabbitMQ: persistent messages of lines, confirmed many at a time, and acknowledged by the caller. Used
 * by one thread; messages arrive on other threads.
 */
final class HandChannel {

    private static final long CONFIRM_MILLIS = 10_000;
    private static final long WAIT_MILLIS = 10;

    private final Channel channel;
    private final BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();

    HandChannel(Connection connection) throws IOException {
        channel = connection.createChannel();
        channel.confirmSelect();
    }

    /** Declares a queue of the kind that FeedKit uses. */
    void declare(String queue) throws IOException {
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
    }

    /** Begins to receive the messages of a queue. */
    void receive(String queue, int prefetch) throws IOException {
        channel.basicQos(prefetch);
        channel.basicConsume(queue, false, (tag, delivery) -> arrived.add(delivery), tag -> {});
    }

    void send(String queue, List<String> lines) throws IOException {
        byte[] body = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
    }

    /** Waits until the server has stored all sent messages. */
    void confirm() throws IOException, InterruptedException, TimeoutException {
        channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
    }

    /** Messages that have arrived; waits a little for the first. */
    List<Delivery> arrived(int most) throws InterruptedException {
        List<Delivery> deliveries = new ArrayList<>();
        Delivery first = arrived.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
            deliveries.add(first);
            arrived.drainTo(deliveries, most - 1);
        }
        return deliveries;
    }

    static List<String> lines(Delivery delivery) {
        return new String(delivery.getBody(), StandardCharsets.UTF_8).lines().toList();
    }

    /** Acknowledges a message and all that arrived before it. */
    void acknowledge(Delivery last) throws IOException {
        channel.basicAck(last.getEnvelope().getDeliveryTag(), true);
    }
}
