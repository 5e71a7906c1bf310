package io.feedkit.kafka.internal;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue's topics at the brokers. Thread-safe. */
final class Topics {

    private static final Logger LOG = LoggerFactory.getLogger(Topics.class);

    private static final int POLL_MILLIS = 20;

    private final Brokers brokers;
    private final QueueSettings settings;
    private volatile Map<String, Integer> leastInSync = Map.of();

    Topics(Brokers brokers, QueueSettings settings) {
        this.brokers = brokers;
        this.settings = settings;
    }

    /**
     * Creates the topics that are missing, unless the host creates them, and checks all of them.
     *
     * @param partitions how many partitions a new lane gets, unless the host sets it
     * @throws FeedKitException if a topic is missing or not as the queue needs it, or the brokers do not answer
     */
    void prepare(int partitions) {
        Map<String, TopicDescription> found = describe(settings.topics());
        List<String> missing = new ArrayList<>(settings.topics());
        missing.removeAll(found.keySet());
        if (!missing.isEmpty()) {
            if (!settings.create()) {
                throw new UnusableBrokerException(
                        Reason.MISSING_QUEUE,
                        "the topic " + missing.get(0) + " is missing: create it, or set create(true)",
                        null);
            }
            create(missing, settings.partitions().orElse(partitions));
            found.putAll(awaitCreated(missing));
        }
        Map<String, Config> configs = brokers.configs(ConfigResource.Type.TOPIC, settings.topics());
        Map<String, Integer> least = new HashMap<>();
        found.forEach((topic, described) ->
                least.put(topic, check(described, configs.getOrDefault(topic, new Config(List.of())))));
        leastInSync = Map.copyOf(least);
    }

    /**
     * Describes the topics.
     *
     * @throws UnknownTopicOrPartitionException if a topic is missing
     * @throws KafkaException if the brokers answer with another failure, or do not answer
     * @throws TimeoutException if there is no answer in time
     */
    Map<String, TopicDescription> describeAll(Duration limit) throws TimeoutException {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) limit.toMillis());
        return brokers.answer(
                admin -> admin.describeTopics(settings.topics(), options).allTopicNames(), limit);
    }

    /** The partitions of a topic that accept messages now, as far as the brokers know. */
    int[] writable(TopicDescription topic) {
        int least = leastInSync.getOrDefault(topic.name(), 1);
        return topic.partitions().stream()
                .filter(Topics::hasLeader)
                .filter(partition -> partition.isr().size() >= least)
                .mapToInt(TopicPartitionInfo::partition)
                .toArray();
    }

    private static boolean hasLeader(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }

    /** Describes the topics that exist. */
    private Map<String, TopicDescription> describe(List<String> topics) {
        Map<String, TopicDescription> found = new HashMap<>();
        brokers.begin(admin -> admin.describeTopics(topics).topicNameValues())
                .forEach((topic, described) -> brokers.askIfThere(
                                "a description of the topic " + topic, admin -> described)
                        .ifPresent(there -> found.put(topic, there)));
        return found;
    }

    private void create(List<String> missing, int partitions) {
        List<NewTopic> topics = missing.stream()
                .map(topic -> topic.equals(settings.deadLetters()) ? deadLetters() : lane(topic, partitions))
                .toList();
        brokers.begin(admin -> admin.createTopics(topics).values()).forEach((topic, created) -> {
            try {
                brokers.answer(admin -> created, brokers.timeout());
            } catch (TopicExistsException e) {
                LOG.debug("another engine has created the topic {}", topic, e);
            } catch (KafkaException | TimeoutException e) {
                throw brokers.failure("creating the topic " + topic, e);
            }
        });
    }

    /** Kafka deletes whole segments: shorter ones take less disk space. */
    private NewTopic lane(String topic, int partitions) {
        String retention = Long.toString(settings.retention().toMillis());
        return new NewTopic(topic, Optional.of(partitions), settings.replicationFactor())
                .configs(Map.of(
                        CLEANUP_POLICY_CONFIG,
                        CLEANUP_POLICY_DELETE,
                        RETENTION_MS_CONFIG,
                        retention,
                        SEGMENT_MS_CONFIG,
                        retention));
    }

    private NewTopic deadLetters() {
        return new NewTopic(settings.deadLetters(), Optional.of(1), settings.replicationFactor())
                .configs(Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE));
    }

    private Map<String, TopicDescription> awaitCreated(List<String> created) {
        long deadline = System.nanoTime() + brokers.timeout().toNanos();
        while (true) {
            Map<String, TopicDescription> found = describe(created);
            List<String> waiting = created.stream()
                    .filter(topic -> !found.containsKey(topic) || !isLed(found.get(topic)))
                    .toList();
            if (waiting.isEmpty()) {
                return found;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new StoreUnavailableException(
                        "kafka.create",
                        new KafkaException("the topics " + waiting + " were created, but have partitions without a"
                                + " leader " + brokers.timeout() + " later: see kafka-topics.sh --describe"));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw new InterruptException("interrupted while topics were created", e);
            }
        }
    }

    private static boolean isLed(TopicDescription topic) {
        return topic.partitions().stream().allMatch(Topics::hasLeader);
    }

    /** Checks a topic, and returns how many of its replicas must have a message before it is confirmed. */
    private int check(TopicDescription topic, Config config) {
        String name = topic.name();
        String cleanup = value(config, CLEANUP_POLICY_CONFIG);
        if (cleanup.contains(CLEANUP_POLICY_COMPACT)) {
            throw unusable("the topic " + name + " has " + CLEANUP_POLICY_CONFIG + "=" + cleanup
                    + ", which drops messages: set it to " + CLEANUP_POLICY_DELETE);
        }
        String retention = value(config, RETENTION_MS_CONFIG);
        long millis = Long.parseLong(retention);
        if (!name.equals(settings.deadLetters())
                && millis >= 0
                && millis < settings.retention().toMillis()) {
            throw unusable("the topic " + name + " has " + RETENTION_MS_CONFIG + "=" + retention
                    + ", which is less than the queue's retention of "
                    + settings.retention().toMillis() + " ms: raise it, or set retention of the builder");
        }
        int least = Integer.parseInt(value(config, MIN_IN_SYNC_REPLICAS_CONFIG));
        int replicas = topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        if (least > replicas) {
            throw unusable("the topic " + name + " has " + MIN_IN_SYNC_REPLICAS_CONFIG + "=" + least + ", but only "
                    + replicas + " replicas, so no message would be confirmed: lower it to at most " + replicas
                    + ", or add replicas");
        }
        return least;
    }

    static String value(Config config, String name) {
        return Optional.ofNullable(config.get(name)).map(ConfigEntry::value).orElse("");
    }

    static UnusableBrokerException unusable(String message) {
        return new UnusableBrokerException(Reason.OTHER_QUEUE, message, null);
    }
}
