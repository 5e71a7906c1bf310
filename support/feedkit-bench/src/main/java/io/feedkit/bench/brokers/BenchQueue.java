package io.feedkit.bench.brokers;

import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.InMemoryFanoutQueue;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.testservers.KafkaServer;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of queue, on a server of its own where it needs one.
 *
 * @param name for figures
 * @param open opens an empty queue; nothing if its server cannot be had
 */
record BenchQueue(String name, Supplier<Optional<OpenQueue>> open) {

    /** A queue, and what else is closed after it. */
    record OpenQueue(FanoutQueue queue, Runnable server) implements AutoCloseable {
        @Override
        public void close() {
            queue.close();
            server.run();
        }
    }

    static final List<BenchQueue> ALL = List.of(
            new BenchQueue("memory", () -> Optional.of(new OpenQueue(InMemoryFanoutQueue.create(), () -> {}))),
            new BenchQueue("RabbitMQ", () -> RabbitMqProgram.find().map(BenchQueue::rabbitMq)),
            new BenchQueue("Kafka, share group", () -> Optional.of(kafka(Mode.SHARE_GROUP))),
            new BenchQueue("Kafka, consumer group", () -> Optional.of(kafka(Mode.CONSUMER_GROUP))));

    private static OpenQueue rabbitMq(RabbitMqProgram program) {
        RabbitMqServer server = RabbitMqServer.start(program);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(server.port());
        factory.setUsername(server.user());
        factory.setPassword(server.password());
        return new OpenQueue(RabbitMqFanoutQueue.create(factory), server::close);
    }

    private static OpenQueue kafka(Mode mode) {
        KafkaServer server = KafkaServer.start();
        Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrapServers());
        return new OpenQueue(KafkaFanoutQueue.builder(settings).mode(mode).build(), server::close);
    }
}
