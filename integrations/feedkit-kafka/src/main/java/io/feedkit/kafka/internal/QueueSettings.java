package io.feedkit.kafka.internal;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the host has set, and the names that follow from it. */
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

    /** A group is either a share group or a consumer group for ever, so each kind has names of its own. */
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
