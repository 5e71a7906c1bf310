package io.feedkit.kafka.internal;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The host's settings of a queue, and the names that are derived from them. */
public record QueueSettings(
        String topicPrefix,
        Optional<Integer> partitions,
        Optional<Short> replicationFactor,
        Duration retention,
        boolean create,
        String group,
        Mode mode,
        Duration connectTimeout,
        Duration sendTimeout) {

    String topic(Lane lane) {
        return topicPrefix + "-" + name(lane);
    }

    String deadLetters() {
        return topicPrefix + "-dead";
    }

    List<String> topics() {
        return List.of(topic(Lane.SMALL), topic(Lane.BULK), deadLetters());
    }

    /** A group cannot change its kind, so share groups and consumer groups have different names. */
    String shareGroup(Lane lane) {
        return consumerGroup(lane) + "-share";
    }

    String consumerGroup(Lane lane) {
        return group + "-" + name(lane);
    }

    private static String name(Lane lane) {
        return lane.name().toLowerCase(Locale.ROOT);
    }
}
