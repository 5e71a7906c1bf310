package io.feedkit.survival;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A broker that can be killed, and its address for queues in other processes. */
interface Broker extends AutoCloseable {

    /** How long a task is lent, and a message kept. */
    Duration LOAN = Duration.ofSeconds(2);

    /** How long a queue waits for confirms. */
    Duration SEND_TIMEOUT = Duration.ofSeconds(1);

    String address();

    /** Kills the broker's process. */
    void kill();

    /** Starts the broker again, with its data. */
    void restart();

    /** Removes all messages of a run. */
    void purge(String run);

    /** Stops taking messages, as if its memory were full. */
    void block();

    void unblock();

    /** The address by which queues reach the broker through a proxy. */
    String through(int proxyPort);

    int port();

    @Override
    void close();

    /** Starts a broker of a kind. */
    static Broker start(String kind) {
        if (kind.equals("rabbitmq")) {
            return new RabbitMq(RabbitMqServer.start(RabbitMqProgram.find()
                    .orElseThrow(() -> new IllegalStateException("rabbitmq-server is not on the PATH"))));
        }
        throw new IllegalArgumentException("broker must be rabbitmq, but is " + kind);
    }

    /** Opens the queue of a run. */
    static FanoutQueue queue(String address, String run) {
        return queue(address, run, LOAN);
    }

    /** The same, with messages that are kept as long as a loan. */
    static FanoutQueue queue(String address, String run, Duration loan) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(address);
            factory.setRequestedHeartbeat(1);
            return RabbitMqFanoutQueue.builder(factory)
                    .queuePrefix(run)
                    .messageTtl(loan)
                    .sendTimeout(SEND_TIMEOUT)
                    .build();
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the address of a broker must be a URI, but is " + address, e);
        }
    }

    /** A node of RabbitMQ. */
    record RabbitMq(RabbitMqServer server) implements Broker {
        @Override
        public String address() {
            return through(port());
        }

        @Override
        public String through(int proxyPort) {
            return "amqp://" + server.user() + ":" + server.password() + "@127.0.0.1:" + proxyPort;
        }

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public void purge(String run) {
            ConnectionFactory factory = new ConnectionFactory();
            try {
                factory.setUri(address());
                try (Connection connection = factory.newConnection();
                        Channel channel = connection.createChannel()) {
                    channel.queuePurge(run + ".small");
                    channel.queuePurge(run + ".bulk");
                }
            } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
                throw new IllegalStateException("the queues of " + run + " cannot be purged", e);
            }
        }

        @Override
        public void block() {
            server.beginMemoryAlarm();
        }

        @Override
        public void unblock() {
            server.endMemoryAlarm();
        }

        @Override
        public void kill() {
            server.kill();
        }

        @Override
        public void restart() {
            server.restart();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
