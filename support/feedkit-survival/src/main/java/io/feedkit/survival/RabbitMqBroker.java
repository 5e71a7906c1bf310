package io.feedkit.survival;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A node of RabbitMQ. */
record RabbitMqBroker(RabbitMqServer server, FaultyProxy proxy) implements Broker {

    private static final Duration ACKNOWLEDGEMENT_TIMEOUT = Duration.ofSeconds(3);

    static Broker start() {
        RabbitMqServer server = RabbitMqServer.start(RabbitMqProgram.find()
                .orElseThrow(() -> new IllegalStateException("rabbitmq-server is not on the PATH")));
        return new RabbitMqBroker(server, FaultyProxy.before(server.port()));
    }

    static FanoutQueue queue(String address, String run, Duration loan) {
        ConnectionFactory factory = factory(address);
        factory.setRequestedHeartbeat(1);
        return RabbitMqFanoutQueue.builder(factory)
                .queuePrefix(run)
                .messageTtl(loan)
                .sendTimeout(SEND_TIMEOUT)
                .build();
    }

    private static ConnectionFactory factory(String address) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(address);
            return factory;
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the address of a broker must be a URI, but is " + address, e);
        }
    }

    @Override
    public String address() {
        return "amqp://" + server.user() + ":" + server.password() + "@127.0.0.1:" + proxy.port();
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
    public void wipe() {
        server.restartEmpty();
    }

    @Override
    public Duration limitAcknowledgements() {
        server.limitAcknowledgements(ACKNOWLEDGEMENT_TIMEOUT);
        return ACKNOWLEDGEMENT_TIMEOUT;
    }

    @Override
    public void purge(String run) {
        try (Connection connection = factory(address()).newConnection();
                Channel channel = connection.createChannel()) {
            channel.queuePurge(run + ".small");
            channel.queuePurge(run + ".bulk");
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the queues of " + run + " cannot be purged", e);
        }
    }

    @Override
    public boolean canBlock() {
        return true;
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
    public void close() {
        proxy.close();
        server.close();
    }
}
