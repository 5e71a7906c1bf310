package io.feedkit.kafka;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.kafka.internal.ClientSettings;
import io.feedkit.kafka.internal.CloudEvents;
import io.feedkit.kafka.internal.RecordSender;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.PostEventSink;
import io.feedkit.queue.UnusableBrokerException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Sends the events of posts to a topic in Kafka, as CloudEvents 1.0 in binary mode: the attributes are headers of the
 * record, and its value is the data, in JSON.
 *
 * <pre>
 * key               the author
 * ce_specversion    1.0
 * ce_type           io.feedkit.post.created or io.feedkit.post.deleted
 * ce_source         {@link Builder#source}
 * ce_id             the id of the event
 * ce_subject        the id of the post
 * ce_time           when the event was recorded
 * content-type      application/json
 * value             {"author":"bob","id":"post-1","publishedAt":1767225600000}
 * </pre>
 *
 * <p>{@code publishedAt} is in milliseconds since 1970. A confirmed event is on all in-sync replicas. An event may be
 * sent more than once, with the same id. The events of an author are in one partition, but in no certain order:
 * consumers must ignore a {@code created} that comes after the {@code deleted} of the same post.
 *
 * <p>The host creates the topic. While the brokers cannot be reached, the events wait in the store. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class KafkaPostEvents implements PostEventSink {

    /** The source of the events by default. */
    public static final String DEFAULT_SOURCE = "/feedkit";

    /** How long a call waits for the brokers by default: well below an engine's lease. */
    public static final Duration DEFAULT_SEND_TIMEOUT = Duration.ofSeconds(10);

    private final String topic;
    private final CloudEvents format;
    private final RecordSender sender;

    private KafkaPostEvents(String topic, CloudEvents format, RecordSender sender) {
        this.topic = topic;
        this.format = format;
        this.sender = sender;
    }

    /**
     * Returns a builder of a sink.
     *
     * @param clientSettings how Kafka's producer reaches the brokers: {@code bootstrap.servers},
     *     {@code security.protocol} and any other settings of the producer. Settings that contradict the guarantees of
     *     the sink are refused
     * @param topic the topic; the host creates it
     * @return a builder
     */
    public static Builder builder(Map<String, Object> clientSettings, String topic) {
        return new Builder(clientSettings, topic);
    }

    @Override
    public List<Sent> send(List<PostEvent> events) {
        return sender.send(
                events.stream().map(event -> format.record(topic, event)).toList());
    }

    @Override
    public void close() {
        sender.close();
    }

    /** Sets up a sink. Not thread-safe. */
    public static final class Builder {

        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

        private final Map<String, Object> clientSettings;
        private final String topic;
        private final SetOnce given = new SetOnce();
        private String source = DEFAULT_SOURCE;
        private Duration sendTimeout = DEFAULT_SEND_TIMEOUT;

        private Builder(Map<String, Object> clientSettings, String topic) {
            this.clientSettings = Map.copyOf(nonNull("clientSettings", clientSettings));
            this.topic = TopicNames.require("topic", topic);
        }

        /**
         * Sets the source of the events, which consumers see in {@code ce_source}.
         *
         * @param source a URI reference; {@link KafkaPostEvents#DEFAULT_SOURCE} by default
         * @return this builder
         */
        public Builder source(String source) {
            String checked = nonNull("source", source);
            if (checked.isEmpty()) {
                throw new IllegalArgumentException("source must not be empty");
            }
            this.source = given.once("source", URI.create(checked).toString());
            return this;
        }

        /**
         * Limits how long {@link KafkaPostEvents#send} waits. It must be shorter than the engine's lease.
         *
         * @param sendTimeout 100 milliseconds to 10 minutes; {@link KafkaPostEvents#DEFAULT_SEND_TIMEOUT} by default
         * @return this builder
         */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout =
                    given.once("sendTimeout", between("sendTimeout", sendTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
            return this;
        }

        /**
         * Creates the sink. It connects when it has an event to send, so a host can start without Kafka.
         *
         * @return the sink
         * @throws UnusableBrokerException if the sink cannot use a setting
         */
        public KafkaPostEvents build() {
            ClientSettings clients = ClientSettings.of(clientSettings);
            return new KafkaPostEvents(
                    topic, new CloudEvents(source), new RecordSender(clients, "post events", sendTimeout));
        }
    }
}
