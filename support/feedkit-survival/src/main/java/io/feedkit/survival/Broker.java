package io.feedkit.survival;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.FaultyProxy;
import java.time.Duration;

/** A broker that can be killed, and its address for queues in other processes. */
interface Broker extends AutoCloseable {

    /** The time of a loan, and the time for which a message is kept. */
    Duration LOAN = Duration.ofSeconds(2);

    /** The time that a queue waits for confirms. */
    Duration SEND_TIMEOUT = Duration.ofSeconds(1);

    String address();

    /** Kills the broker's process. */
    void kill();

    /** Starts the broker again, with its data. */
    void restart();

    /** Starts the broker again, empty. */
    void wipe();

    /** Bounds how long a worker may leave messages unacknowledged, if the broker can be set so. Returns the bound. */
    Duration limitAcknowledgements();

    /** Removes all messages of a run. */
    void purge(String run);

    /** Stops taking messages, as if its memory were full. */
    void block();

    void unblock();

    /** The proxy in front of the broker, for all queues. */
    FaultyProxy proxy();

    /** Whether the broker can refuse messages while connections stay open. */
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

    /** Opens the queue of a run, with messages that are kept at least as long as a loan. */
    static FanoutQueue queue(String address, String run, Duration loan) {
        return address.startsWith("amqp:") ? RabbitMqBroker.queue(address, run, loan) : KafkaBroker.queue(address, run);
    }
}
