package io.feedkit.kafka;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.kafka.internal.ClientSettings;
import io.feedkit.kafka.internal.Intake;
import io.feedkit.kafka.internal.IntakeSettings;
import io.feedkit.queue.UnusableBrokerException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Publishes and deletes posts described by records of a host topic, as a member of a consumer group. The host's mapping
 * translates each record into changes.
 *
 * <p>The records of a partition are handled in their order. An offset is committed when everything before it is in the
 * store, so nothing is lost. A record may be handled more than once, for example after a crash between the publish and
 * the commit. That changes nothing, since publishes and deletes are idempotent. A delete that comes before its post
 * wins: the post is not published.
 *
 * <p>An unusable record is moved to a dead-letter topic, with its key, value and headers, and the intake continues with
 * the next records. A record is unusable if the mapping throws, or if the engine refuses its change: with an
 * {@link IllegalArgumentException} for a bad id or a time too far in the future, or with a
 * {@link io.feedkit.CallbackException} because its policy throws. A policy that cannot decide at the moment should
 * throw a {@link io.feedkit.StoreUnavailableException} instead; then the partitions wait. The headers
 * {@code feedkit-cause}, {@code feedkit-topic}, {@code feedkit-partition} and {@code feedkit-offset} of the dead letter
 * contain the reason, and the place of the record. While dead letters cannot be written, the partitions wait. If the
 * brokers refuse a dead letter for good, for example because it is too large, it is written without its value, and
 * {@code feedkit-size} has the value's length in bytes. If they refuse that for good as well, the record is logged at
 * ERROR, and skipped.
 *
 * <p>While the store is down, the partitions are paused, and the same records are tried again, with growing pauses of
 * up to ten seconds. The intake stays a member of the group meanwhile.
 *
 * <p>Records of open or aborted transactions are not read. An intake has one daemon thread. The engine belongs to the
 * host, who closes it after the intake. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class KafkaPostIntake implements AutoCloseable {

    /**
     * How many records are handled at a time by default: enough that each post takes a small part of a round trip to
     * the store.
     */
    public static final int DEFAULT_BATCH_SIZE = 500;

    /** The default suffix of the dead-letter topic's name, after the name of the topic. */
    public static final String DEAD_LETTERS = "-dead";

    /** A change that a record requests. */
    public sealed interface Change {

        /**
         * Publishes a post.
         *
         * @param post the post
         */
        record Publish(Post post) implements Change {
            /** Refuses null. */
            public Publish {
                nonNull("post", post);
            }
        }

        /**
         * Deletes a post for good.
         *
         * @param key the post's key
         */
        record Delete(PostKey key) implements Change {
            /** Refuses null. */
            public Delete {
                nonNull("key", key);
            }
        }
    }

    private final Intake intake;

    private KafkaPostIntake(Intake intake) {
        this.intake = intake;
    }

    /**
     * Returns a builder of an intake.
     *
     * @param clientSettings how Kafka's clients reach the brokers: {@code bootstrap.servers}, {@code security.protocol}
     *     and any other settings of the clients. Settings that contradict the guarantees of the intake are refused
     * @param topic the host's topic
     * @param group the consumer group. A new group begins with the oldest records
     * @param engine publishes and deletes the posts
     * @param mapping translates a record into changes; returns an empty list for a record without changes. The intake's
     *     thread calls it. If it throws, the record becomes a dead letter
     * @return a builder
     */
    public static Builder builder(
            Map<String, Object> clientSettings,
            String topic,
            String group,
            FeedEngine engine,
            Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping) {
        return new Builder(clientSettings, topic, group, engine, mapping);
    }

    /**
     * Ends the intake, and leaves the group. This waits for the present call to the store, at most ten seconds. Records
     * that are not committed are handled again, by another member of the group or by the next intake. Idempotent.
     */
    @Override
    public void close() {
        intake.close();
    }

    /** Sets up an intake. Not thread-safe. */
    public static final class Builder {

        private static final int LARGEST_BATCH = 10_000;
        private static final String ISOLATION = "isolation.level";
        private static final String READ_COMMITTED = "read_committed";
        private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

        private final Map<String, Object> clientSettings;
        private final String topic;
        private final String group;
        private final FeedEngine engine;
        private final Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping;
        private final SetOnce given = new SetOnce();
        private Optional<String> deadLetters = Optional.empty();
        private int batchSize = DEFAULT_BATCH_SIZE;

        private Builder(
                Map<String, Object> clientSettings,
                String topic,
                String group,
                FeedEngine engine,
                Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping) {
            this.clientSettings = Map.copyOf(nonNull("clientSettings", clientSettings));
            this.topic = TopicNames.require("topic", topic);
            this.group = TopicNames.require("group", group);
            this.engine = nonNull("engine", engine);
            this.mapping = nonNull("mapping", mapping);
        }

        /**
         * Sets the dead-letter topic, which the host creates.
         *
         * @param deadLetters another topic than the host's; by default the name of the host's topic and
         *     {@value #DEAD_LETTERS}
         * @return this builder
         */
        public Builder deadLetters(String deadLetters) {
            if (TopicNames.require("deadLetters", deadLetters).equals(topic)) {
                throw new IllegalArgumentException("deadLetters must be another topic than the one that is read, \""
                        + topic + "\": each dead letter would be read, and become a dead letter again");
            }
            this.deadLetters = Optional.of(given.once("deadLetters", deadLetters));
            return this;
        }

        /**
         * Bounds how many records are handled at a time.
         *
         * @param batchSize records, 1 to 10,000; {@link KafkaPostIntake#DEFAULT_BATCH_SIZE} by default
         * @return this builder
         */
        public Builder batchSize(int batchSize) {
            this.batchSize = given.once("batchSize", between("batchSize", batchSize, 1, LARGEST_BATCH));
            return this;
        }

        /**
         * Starts the intake. It connects in the background, and retries while the brokers cannot be reached.
         *
         * @return the intake
         * @throws UnusableBrokerException if the intake cannot use a setting
         */
        public KafkaPostIntake build() {
            IntakeSettings settings =
                    new IntakeSettings(topic, group, deadLetters.orElse(topic + DEAD_LETTERS), batchSize, SEND_TIMEOUT);
            Intake intake = new Intake(clients(), settings, engine, mapping);
            intake.start();
            return new KafkaPostIntake(intake);
        }

        /** Checks the isolation level here, because it differs from that of a fan-out queue. */
        private ClientSettings clients() {
            Map<String, Object> others = new HashMap<>(clientSettings);
            Object isolation = others.remove(ISOLATION);
            if (isolation != null && !isolation.toString().strip().equalsIgnoreCase(READ_COMMITTED)) {
                throw new UnusableBrokerException(
                        UnusableBrokerException.Reason.SETTING,
                        ISOLATION + " is " + isolation + ", but the intake needs " + READ_COMMITTED + ": leave it out",
                        null);
            }
            return ClientSettings.of(others);
        }
    }
}
