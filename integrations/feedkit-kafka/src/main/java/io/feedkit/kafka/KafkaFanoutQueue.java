package io.feedkit.kafka;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.internal.check.SetOnce;
import io.feedkit.kafka.internal.ClientSettings;
import io.feedkit.kafka.internal.KafkaQueue;
import io.feedkit.kafka.internal.QueueSettings;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.UnusableBrokerException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fan-out queue in Kafka: one topic for each lane, and one for dead letters. Messages are spread over the partitions,
 * in no guaranteed order. A confirmed message is on all in-sync replicas.
 *
 * <p>A subscription is a member of a share group if the brokers support share groups (Kafka 4.2 or newer), and else of
 * a consumer group. In a share group, any number of subscriptions share a lane. In a consumer group, at most as many
 * subscriptions receive messages as the topic has partitions.
 *
 * <p>In a share group, a message that is not acknowledged within most of the brokers' lock duration
 * ({@code share.record.lock.duration.ms}, 30 seconds by default) goes back into the queue, and its acknowledgement is
 * ignored. The brokers drop a message that has gone back too often ({@code share.delivery.count.limit}: 5 by default;
 * the queue raises it to 10 for its groups, if the brokers allow that). Both cost time, but lose no post.
 *
 * <p>If no partition of a lane has enough in-sync replicas, or a topic is missing, the queue is
 * {@link FanoutQueue.Status#BLOCKED}. Missing topics are created again, unless {@link Builder#create} is false. The
 * queue has one thread that asks the brokers every few seconds. Each subscription has one thread in a consumer group.
 * In a share group it has one or two, and up to four more while callers hold messages for long. Kafka's clients have
 * threads of their own.
 *
 * @since 0.1.0
 */
public final class KafkaFanoutQueue implements FanoutQueue {

    /** The default prefix of topic names. */
    public static final String DEFAULT_TOPIC_PREFIX = "feedkit-fanout";

    /** How long a message is kept by default: ten loans of a minute. */
    public static final Duration DEFAULT_RETENTION = Duration.ofMinutes(10);

    /** How long the brokers may take for each answer at the start by default. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** How long a call waits for the brokers by default. */
    public static final Duration DEFAULT_SEND_TIMEOUT = Duration.ofSeconds(10);

    /** How the subscriptions of a lane share its messages. */
    public enum Mode {
        /** In a share group if the brokers support that, else in a consumer group. */
        AUTO,
        /** In a share group. Needs Kafka 4.2 or newer, and the brokers' feature {@code share.version}. */
        SHARE_GROUP,
        /** In a consumer group. */
        CONSUMER_GROUP
    }

    private final KafkaQueue queue;

    private KafkaFanoutQueue(KafkaQueue queue) {
        this.queue = queue;
    }

    /**
     * Returns a builder of a queue.
     *
     * @param clientSettings how Kafka's clients reach the brokers: {@code bootstrap.servers}, {@code security.protocol}
     *     and any other settings of the clients. Settings that contradict the guarantees of the queue are refused
     * @return a builder
     */
    public static Builder builder(Map<String, Object> clientSettings) {
        return new Builder(clientSettings);
    }

    @Override
    public List<Sent> send(List<Message> messages) {
        return queue.send(messages);
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        return queue.receive(nonNull("lane", lane), most, arrived);
    }

    @Override
    public Status status() {
        return queue.status();
    }

    @Override
    public String toString() {
        return "KafkaFanoutQueue[" + queue + "]";
    }

    @Override
    public void close() {
        queue.close();
    }

    /** Sets up a queue. Not thread-safe. */
    public static final class Builder {

        private static final int LONGEST_NAME = 200;
        private static final int MOST_PARTITIONS = 10_000;
        private static final Duration SHORTEST_RETENTION = Duration.ofSeconds(1);
        private static final Duration LONGEST_RETENTION = Duration.ofDays(365);
        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

        private final Map<String, Object> clientSettings;
        private final SetOnce given = new SetOnce();
        private String topicPrefix = DEFAULT_TOPIC_PREFIX;
        private Optional<Integer> partitions = Optional.empty();
        private Optional<Short> replicationFactor = Optional.empty();
        private Duration retention = DEFAULT_RETENTION;
        private boolean create = true;
        private Optional<String> group = Optional.empty();
        private Mode mode = Mode.AUTO;
        private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        private Duration sendTimeout = DEFAULT_SEND_TIMEOUT;

        private Builder(Map<String, Object> clientSettings) {
            this.clientSettings = Map.copyOf(nonNull("clientSettings", clientSettings));
        }

        /**
         * Sets the prefix of the topic names: {@code -small}, {@code -bulk} and {@code -dead} follow. Queues with
         * different prefixes do not see each other's messages.
         *
         * @param topicPrefix 1 to 200 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .};
         *     {@link KafkaFanoutQueue#DEFAULT_TOPIC_PREFIX} by default
         * @return this builder
         */
        public Builder topicPrefix(String topicPrefix) {
            this.topicPrefix = given.once("topicPrefix", name("topicPrefix", topicPrefix));
            return this;
        }

        /**
         * Sets how many partitions a lane's topic gets when it is created. In a consumer group, that is also the most
         * subscriptions that can share the lane. In a share group, one partition serves any number of subscriptions;
         * with more partitions, a busy subscription delays the messages of partitions that it does not share.
         *
         * @param partitions 1 to 10,000; by default 1 for share groups, and 12 for consumer groups
         * @return this builder
         */
        public Builder partitions(int partitions) {
            this.partitions =
                    Optional.of(given.once("partitions", between("partitions", partitions, 1, MOST_PARTITIONS)));
            return this;
        }

        /**
         * Sets how many replicas a topic gets when it is created.
         *
         * @param replicationFactor at least 1; the brokers' own default if it is not set
         * @return this builder
         */
        public Builder replicationFactor(short replicationFactor) {
            between("replicationFactor", replicationFactor, 1, Short.MAX_VALUE);
            this.replicationFactor = Optional.of(given.once("replicationFactor", replicationFactor));
            return this;
        }

        /**
         * Sets how long the brokers keep a message. It should be at least the time of ten loans. A topic with a shorter
         * retention is refused. Dead letters are kept as long as the brokers keep messages by default.
         *
         * @param retention a second to a year; {@link KafkaFanoutQueue#DEFAULT_RETENTION} by default
         * @return this builder
         */
        public Builder retention(Duration retention) {
            this.retention =
                    given.once("retention", between("retention", retention, SHORTEST_RETENTION, LONGEST_RETENTION));
            return this;
        }

        /**
         * Sets whether the queue creates missing topics, and sets its share groups to begin with the oldest messages.
         * Otherwise it only checks both, and the user needs no permission to change them.
         *
         * @param create true by default
         * @return this builder
         */
        public Builder create(boolean create) {
            this.create = given.once("create", create);
            return this;
        }

        /**
         * Sets the prefix of the group names: the lane follows, and {@code -share} for a share group. Each group
         * receives all messages, so all engines of a queue need the same prefix.
         *
         * @param group 1 to 200 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .}; the topics' prefix by
         *     default
         * @return this builder
         */
        public Builder group(String group) {
            this.group = Optional.of(given.once("group", name("group", group)));
            return this;
        }

        /**
         * Sets how subscriptions share the messages of a lane. If engines have different modes, each message goes to
         * both kinds of groups; that costs time, but loses no post.
         *
         * @param mode {@link Mode#AUTO} by default
         * @return this builder
         */
        public Builder mode(Mode mode) {
            this.mode = given.once("mode", nonNull("mode", mode));
            return this;
        }

        /**
         * Limits how long {@link #build} waits for each answer of the brokers. It makes up to ten requests, and fails
         * with the first that is not answered.
         *
         * @param connectTimeout 100 milliseconds to 10 minutes; {@link KafkaFanoutQueue#DEFAULT_CONNECT_TIMEOUT} by
         *     default
         * @return this builder
         */
        public Builder connectTimeout(Duration connectTimeout) {
            this.connectTimeout = given.once(
                    "connectTimeout", between("connectTimeout", connectTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
            return this;
        }

        /**
         * Limits how long {@link FanoutQueue#send} waits.
         *
         * @param sendTimeout 100 milliseconds to 10 minutes; {@link KafkaFanoutQueue#DEFAULT_SEND_TIMEOUT} by default
         * @return this builder
         */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout =
                    given.once("sendTimeout", between("sendTimeout", sendTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
            return this;
        }

        /**
         * Connects, checks brokers and topics, and creates what is missing.
         *
         * @return the queue
         * @throws UnusableBrokerException if the queue cannot use the brokers, a topic or a setting
         * @throws io.feedkit.StoreUnavailableException if the brokers do not answer
         */
        public KafkaFanoutQueue build() {
            QueueSettings settings = new QueueSettings(
                    topicPrefix,
                    partitions,
                    replicationFactor,
                    retention,
                    create,
                    group.orElse(topicPrefix),
                    mode,
                    connectTimeout,
                    sendTimeout);
            return new KafkaFanoutQueue(KafkaQueue.open(ClientSettings.of(clientSettings), settings));
        }

        private static String name(String setting, String name) {
            if (!nonNull(setting, name).matches("[a-zA-Z0-9_.-]{1," + LONGEST_NAME + "}")) {
                throw new IllegalArgumentException(setting + " must be 1 to " + LONGEST_NAME
                        + " characters a-z, A-Z, 0-9, _, - and ., but is \"" + name + "\"");
            }
            return name;
        }
    }
}
