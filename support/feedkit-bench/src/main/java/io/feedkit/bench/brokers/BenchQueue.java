package io.feedkit.bench.brokers;

import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.testservers.KafkaServer;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of queue, on a server of its own if it needs one.
 *
 * @param name the name in figures
 * @param open opens an empty queue; empty if its server is not available
 */
record BenchQueue(String name, Supplier<Optional<OpenQueue>> open) {

    private static final String SCHEME = "amqp:";

    /**
     * A queue, and its server, which is closed after it.
     *
     * @param address the address for other processes, for {@link #at}; empty if they cannot reach the queue
     */
    record OpenQueue(FanoutQueue queue, String address, Runnable server) implements AutoCloseable {
        @Override
        public void close() {
            queue.close();
            server.run();
        }
    }

    static final BenchQueue RABBITMQ =
            new BenchQueue("RabbitMQ", () -> RabbitMqProgram.find().map(BenchQueue::rabbitMq));

    static final BenchQueue KAFKA = new BenchQueue("Kafka, share group", () -> Optional.of(kafka(Mode.SHARE_GROUP)));

    static final List<BenchQueue> ALL = List.of(
            new BenchQueue("memory", () -> Optional.of(new OpenQueue(InMemoryFanoutQueue.create(), "", () -> {}))),
            RABBITMQ,
            KAFKA,
            new BenchQueue("Kafka, consumer group", () -> Optional.of(kafka(Mode.CONSUMER_GROUP))));

    /** Opens a queue that another process has created: of RabbitMQ, or of Kafka's share groups. */
    static FanoutQueue at(String address) {
        return address.startsWith(SCHEME)
                ? RabbitMqFanoutQueue.create(factory(address))
                : kafka(Mode.SHARE_GROUP, address);
    }

    /** Connects to the RabbitMQ of an address. */
    static ConnectionFactory factory(String address) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(address);
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("not an address of RabbitMQ: " + address, e);
        }
        return factory;
    }

    private static OpenQueue rabbitMq(RabbitMqProgram program) {
        RabbitMqServer server = RabbitMqServer.start(program);
        String address = SCHEME + "//" + server.user() + ":" + server.password() + "@127.0.0.1:" + server.port();
        return new OpenQueue(at(address), address, server::close);
    }

    private static OpenQueue kafka(Mode mode) {
        KafkaServer server = KafkaServer.start();
        String address = server.bootstrapServers();
        return new OpenQueue(kafka(mode, address), address, server::close);
    }

    private static FanoutQueue kafka(Mode mode, String address) {
        return KafkaFanoutQueue.builder(Map.of("bootstrap.servers", address))
                .mode(mode)
                .build();
    }
}
