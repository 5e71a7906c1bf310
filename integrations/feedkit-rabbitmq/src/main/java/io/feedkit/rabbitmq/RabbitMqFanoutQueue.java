package io.feedkit.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.rabbitmq.internal.connection.ConnectFailures;
import io.feedkit.rabbitmq.internal.connection.Connector;
import io.feedkit.rabbitmq.internal.connection.Queues;
import io.feedkit.rabbitmq.internal.receive.Receiver;
import io.feedkit.rabbitmq.internal.send.Sender;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A queue in RabbitMQ 3.10 or later: a durable quorum queue for each lane, and one for the dead letters.
 *
 * <pre>{@code
 * ConnectionFactory factory = new ConnectionFactory();
 * factory.setHost("rabbit.internal");
 * try (RabbitMqFanoutQueue queue = RabbitMqFanoutQueue.create(factory)) {
 *     queue.send(List.of(new Message(Lane.SMALL, "task 17")));
 * }
 * }</pre>
 *
 * <p>A message is {@link Sent#CONFIRMED} when the broker has confirmed it, and had a queue for it. It is
 * {@link Sent#REFUSED} if the broker had no queue, or the queue is full, or there is no connection, or the broker
 * accepts no messages at the moment. It is {@link Sent#UNKNOWN} if no confirm came in time, or before the connection
 * was lost or the broker stopped accepting messages.
 *
 * <p>Messages that were not received within {@link Builder#messageTtl}, and messages that were refused, go to the
 * dead-letter queue. It keeps the newest 10,000 messages. FeedKit does not read it.
 *
 * <p>The queue has two connections, one to send and one to receive, with a thread each beside the client's own. If one
 * is lost, the queue opens another, after pauses that grow from 0.1 s to 5 s. The broker notices a half-open connection
 * by heartbeats: {@link ConnectionFactory#setRequestedHeartbeat} sets how soon. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RabbitMqFanoutQueue implements FanoutQueue {

    /** The default prefix of queue names. */
    public static final String DEFAULT_QUEUE_PREFIX = "feedkit.fanout";

    /** How many messages a lane holds by default: twice the largest window of tasks that are lent. */
    public static final int DEFAULT_MAX_LENGTH = 20_000;

    /** How long a message waits by default: as long as its task is lent. */
    public static final Duration DEFAULT_MESSAGE_TTL = Duration.ofSeconds(60);

    /** How long a call waits for confirms by default. */
    public static final Duration DEFAULT_SEND_TIMEOUT = Duration.ofSeconds(10);

    private final Sender sender;
    private final Receiver receiver;
    private volatile boolean closed;

    private RabbitMqFanoutQueue(Sender sender, Receiver receiver) {
        this.sender = sender;
        this.receiver = receiver;
    }

    /**
     * Connects a queue with default settings.
     *
     * @param factory where RabbitMQ is
     * @return the queue
     * @throws IllegalArgumentException if it is null
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableBrokerException as {@link Builder#build()}
     */
    public static RabbitMqFanoutQueue create(ConnectionFactory factory) {
        return builder(factory).build();
    }

    /**
     * Returns a builder of a queue.
     *
     * @param factory where RabbitMQ is, and how to connect. The queue works with a copy, without the client's automatic
     *     recovery. Where the factory has no time-out for connections, handshakes and calls, or the client's default,
     *     the copy has 10 seconds
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(ConnectionFactory factory) {
        return new Builder(factory);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Returns within {@link Builder#sendTimeout}. Messages of concurrent calls are published one call after the
     * other, and awaited together. A call ends at once when the broker reports that it accepts no messages. If no
     * message is confirmed in that time, and the broker has not reported a reason, the connection is closed and opened
     * again.
     */
    @Override
    public List<Sent> send(List<Message> messages) {
        return sender.send(Arguments.nonNull("messages", messages));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if an argument is null, or {@code most} is less than 1
     * @throws IllegalStateException if the queue is closed
     */
    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        Arguments.nonNull("lane", lane);
        Arguments.between("most", most, 1, Integer.MAX_VALUE);
        Arguments.nonNull("arrived", arrived);
        if (closed) {
            throw new IllegalStateException("the queue is closed");
        }
        return receiver.receive(lane, most, arrived);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The status is {@link Status#OPEN} while both connections are open. RabbitMQ reports that it accepts no
     * messages only when the first message arrives.
     */
    @Override
    public Status status() {
        if (!sender.connection().isConnected() || !receiver.connection().isConnected()) {
            return Status.UNREACHABLE;
        }
        return sender.isBlocked() ? Status.BLOCKED : Status.OPEN;
    }

    @Override
    public String toString() {
        return "RabbitMqFanoutQueue[" + sender + "]";
    }

    /** {@inheritDoc} Takes at most a few seconds. */
    @Override
    public void close() {
        closed = true;
        receiver.close();
        sender.connection().close();
    }

    /**
     * Settings of a queue. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder {

        private static final int LONGEST_PREFIX = 200;
        private static final int MOST_MESSAGES = 10_000_000;
        private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
        private static final Duration LONGEST_TTL = Duration.ofDays(1);
        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
        private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

        private static final String CREDENTIALS = "set username and password of the ConnectionFactory, or its URI";

        private final ConnectionFactory factory;
        private final SetOnce given = new SetOnce();
        private List<Address> addresses = List.of();
        private String queuePrefix = DEFAULT_QUEUE_PREFIX;
        private boolean declare = true;
        private boolean hasArguments;
        private int maxLength = DEFAULT_MAX_LENGTH;
        private Duration messageTtl = DEFAULT_MESSAGE_TTL;
        private Duration sendTimeout = DEFAULT_SEND_TIMEOUT;

        private Builder(ConnectionFactory factory) {
            this.factory = Arguments.nonNull("factory", factory);
        }

        /**
         * Sets the nodes of a cluster. The queue connects to one that answers, in any order.
         *
         * @param addresses the nodes, at least one; by default the factory's host and port
         * @return this builder
         */
        public Builder addresses(List<Address> addresses) {
            if (Arguments.nonNull("addresses", addresses).isEmpty()) {
                throw new IllegalArgumentException("addresses must name at least one node, but is empty");
            }
            addresses.forEach(address -> Addresses.requireNoCredentials("addresses", address.getHost(), CREDENTIALS));
            this.addresses = given.once("addresses", List.copyOf(addresses));
            return this;
        }

        /**
         * Sets the prefix of the queue names, which are {@code <prefix>.small}, {@code <prefix>.bulk} and
         * {@code <prefix>.dead}. Engines on the same source of truth share the queues; other engines need other queues.
         *
         * @param queuePrefix 1 to 200 characters a-z, A-Z, 0-9, {@code _}, {@code -}, {@code .} and {@code :}, not
         *     beginning with {@code amq.}; {@link RabbitMqFanoutQueue#DEFAULT_QUEUE_PREFIX} by default
         * @return this builder
         */
        public Builder queuePrefix(String queuePrefix) {
            if (!Arguments.nonNull("queuePrefix", queuePrefix).matches("(?!amq\\.)[a-zA-Z0-9_.:-]{1,200}")) {
                throw new IllegalArgumentException("queuePrefix must be 1 to " + LONGEST_PREFIX
                        + " characters a-z, A-Z, 0-9, _, -, . and :, not beginning with amq., but is \"" + queuePrefix
                        + "\"");
            }
            this.queuePrefix = given.once("queuePrefix", queuePrefix);
            return this;
        }

        /**
         * Sets whether FeedKit declares the queues whenever it opens a connection. Otherwise an operator creates them,
         * as quorum queues that refuse messages when they are full ({@code x-overflow=reject-publish}), and FeedKit
         * only checks that they exist.
         *
         * @param declare true by default
         * @return this builder
         */
        public Builder declare(boolean declare) {
            this.declare = given.once("declare", declare);
            return this;
        }

        /**
         * Limits how many messages a lane holds. The broker refuses further messages, except for a few that arrive at
         * the same time.
         *
         * @param maxLength 1 to 10,000,000; {@link RabbitMqFanoutQueue#DEFAULT_MAX_LENGTH} by default. A message takes
         *     more than 1 KB of the broker's memory
         * @return this builder
         */
        public Builder maxLength(int maxLength) {
            this.maxLength = given.once("maxLength", Arguments.between("maxLength", maxLength, 1, MOST_MESSAGES));
            hasArguments = true;
            return this;
        }

        /**
         * Sets the time after which a message that was not received becomes a dead letter.
         *
         * @param messageTtl 1 second to a day; it should be the time for which tasks are lent;
         *     {@link RabbitMqFanoutQueue#DEFAULT_MESSAGE_TTL} by default
         * @return this builder
         */
        public Builder messageTtl(Duration messageTtl) {
            this.messageTtl =
                    given.once("messageTtl", Arguments.between("messageTtl", messageTtl, SHORTEST_TTL, LONGEST_TTL));
            hasArguments = true;
            return this;
        }

        /**
         * Limits how long a call waits for confirms.
         *
         * @param sendTimeout 10 milliseconds to an hour; {@link RabbitMqFanoutQueue#DEFAULT_SEND_TIMEOUT} by default
         * @return this builder
         */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout = given.once(
                    "sendTimeout", Arguments.between("sendTimeout", sendTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
            return this;
        }

        /**
         * Connects, and declares or checks the queues.
         *
         * @return the queue
         * @throws IllegalArgumentException if the factory's host contains a user or a password
         * @throws IllegalStateException if queues are not declared, and {@link #maxLength} or {@link #messageTtl} is
         *     set
         * @throws StoreUnavailableException if no node can be reached
         * @throws UnusableBrokerException if the broker, the user or a queue is not what FeedKit needs
         */
        public RabbitMqFanoutQueue build() {
            if (!declare && hasArguments) {
                throw new IllegalStateException(
                        "maxLength and messageTtl have no effect with declare(false): leave them out");
            }
            if (addresses.isEmpty()) {
                Addresses.requireNoCredentials("host of the ConnectionFactory", factory.getHost(), CREDENTIALS);
            }
            Queues queues = new Queues(queuePrefix, declare, maxLength, messageTtl);
            Connector connector = new Connector(factory, addresses, queues);
            Sender sender = new Sender(connector, sendTimeout);
            RabbitMqFanoutQueue queue =
                    new RabbitMqFanoutQueue(sender, new Receiver(connector, sender::sendDeadLetter));
            try {
                queue.sender.connection().start();
                queue.receiver.connection().start();
                return queue;
            } catch (IOException | TimeoutException | RuntimeException e) {
                queue.close();
                throw ConnectFailures.of(connector.where(), e);
            }
        }
    }
}
