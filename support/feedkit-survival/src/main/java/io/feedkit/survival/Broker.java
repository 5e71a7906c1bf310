package io.feedkit.survival;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.FaultyProxy;
import java.time.Duration;

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

    /** Starts the broker again, with nothing in it. */
    void wipe();

    /** Bounds how long a worker may leave messages unacknowledged, if that can be set; returns how long it may. */
    Duration limitAcknowledgements();

    /** Removes all messages of a run. */
    void purge(String run);

    /** Stops taking messages, as if its memory were full. */
    void block();

    void unblock();

    /** What stands before the broker, for all queues. */
    FaultyProxy proxy();

    /** Whether the broker can stop taking messages while it is connected. */
    boolean canBlock();

    @Override
    void close();

    /** Starts a broker of a kind. */
    static Broker start(String kind) {
        return switch (kind) {
            case "rabbitmq" -> RabbitMqBroker.start();
            case "kafka" -> KafkaBroker.start();
            default -> throw new IllegalArgumentException("broker must be rabbitmq or kafka, but is " + kind);
        };
    }

    /** Opens the queue of a run. */
    static FanoutQueue queue(String address, String run) {
        return queue(address, run, LOAN);
    }

    /** The same, with messages that are kept as long as a loan, or longer. */
    static FanoutQueue queue(String address, String run, Duration loan) {
        return address.startsWith("amqp:") ? RabbitMqBroker.queue(address, run, loan) : KafkaBroker.queue(address, run);
    }
}
