package io.feedkit.kafka.internal;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.kafka.UnusableBrokerException;
import io.feedkit.kafka.UnusableBrokerException.Reason;
import io.feedkit.spi.FanoutQueue.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue's topics and groups at the brokers. Thread-safe. */
final class Topics {

    private static final Logger LOG = LoggerFactory.getLogger(Topics.class);

    private static final String START_CONFIG = "share.auto.offset.reset";
    private static final String START = "earliest";
    private static final String DELIVERIES_CONFIG = "share.delivery.count.limit";
    /** The most that brokers allow by default. */
    private static final int DELIVERIES = 10;

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
     * @param partitions how many partitions a new lane gets, unless the host says it
     * @throws FeedKitException if a topic is missing or not as the queue needs it, or the brokers do not answer
     */
    void prepare(int partitions) {
        Map<String, TopicDescription> found = new HashMap<>();
        settings.topics().forEach(topic -> describe(topic).ifPresent(described -> found.put(topic, described)));
        List<String> missing = new ArrayList<>(settings.topics());
        missing.removeAll(found.keySet());
        if (!missing.isEmpty()) {
            if (!settings.create()) {
                throw unusable("the topic " + missing.get(0) + " is missing: create it, or set create(true)");
            }
            missing.forEach(topic -> create(topic, settings.partitions().orElse(partitions)));
            missing.forEach(topic -> found.put(topic, awaitCreated(topic)));
        }
        Map<String, Integer> least = new HashMap<>();
        found.forEach((topic, described) -> least.put(topic, check(described, topicConfig(topic))));
        leastInSync = Map.copyOf(least);
    }

    /**
     * Lets the share groups begin with the oldest messages.
     *
     * @throws FeedKitException if that is not allowed, or the brokers do not answer
     */
    void prepareShareGroups() {
        for (Lane lane : Lane.values()) {
            String group = settings.shareGroup(lane);
            ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
            String found = value(config("the settings of the group " + group, resource), START_CONFIG);
            if (found.equals(START)) {
                continue;
            }
            if (!settings.create()) {
                throw unusable("the group " + group + " has " + START_CONFIG + "=" + found + ", but the queue needs "
                        + START + ": set it (kafka-configs.sh --alter --group " + group + " --add-config "
                        + START_CONFIG + "=" + START + "), or set create(true)");
            }
            set(resource, START_CONFIG, START);
        }
        if (settings.create()) {
            for (Lane lane : Lane.values()) {
                raiseDeliveries(new ConfigResource(ConfigResource.Type.GROUP, settings.shareGroup(lane)));
            }
        }
    }

    private void set(ConfigResource group, String name, String value) {
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        brokers.ask(
                "setting " + name + " of the group " + group.name(),
                admin -> admin.incrementalAlterConfigs(Map.of(group, List.of(set)))
                        .all());
    }

    /** The brokers drop a message that was given back too often. Those of 4.2 do not know this setting of a group. */
    private void raiseDeliveries(ConfigResource group) {
        String found = value(config("the settings of the group " + group.name(), group), DELIVERIES_CONFIG);
        if (found.isEmpty() || Integer.parseInt(found) >= DELIVERIES) {
            return;
        }
        try {
            set(group, DELIVERIES_CONFIG, Integer.toString(DELIVERIES));
        } catch (FeedKitException e) {
            LOG.debug("{} of the group {} stays {}", DELIVERIES_CONFIG, group.name(), found, e);
        }
    }

    /**
     * Describes the topics.
     *
     * @throws UnknownTopicOrPartitionException if a topic is missing
     * @throws KafkaException if the brokers answer otherwise or not at all
     * @throws TimeoutException if there is no answer in time
     */
    Map<String, TopicDescription> describeAll(Duration limit) throws TimeoutException {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) limit.toMillis());
        return brokers.answer(
                admin -> admin.describeTopics(settings.topics(), options).allTopicNames(), limit);
    }

    /** The partitions of a topic that store messages now, as far as the brokers know. */
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

    private Optional<TopicDescription> describe(String topic) {
        return brokers.askIfThere(
                "a description of the topic " + topic,
                admin -> admin.describeTopics(List.of(topic))
                        .topicNameValues()
                        .getOrDefault(topic, KafkaFuture.completedFuture(null)));
    }

    private void create(String topic, int partitions) {
        boolean dead = topic.equals(settings.deadLetters());
        Map<String, String> config = new HashMap<>();
        config.put(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_DELETE);
        if (!dead) {
            String retention = Long.toString(settings.retention().toMillis());
            config.put(RETENTION_MS_CONFIG, retention);
            // Kafka deletes whole segments: shorter ones keep the disk small.
            config.put(SEGMENT_MS_CONFIG, retention);
        }
        NewTopic created =
                new NewTopic(topic, Optional.of(dead ? 1 : partitions), settings.replicationFactor()).configs(config);
        try {
            brokers.answer(admin -> admin.createTopics(List.of(created)).all(), brokers.timeout());
        } catch (TopicExistsException e) {
            // Another engine was quicker.
        } catch (KafkaException | TimeoutException e) {
            throw brokers.failure("creating the topic " + topic, e);
        }
    }

    private TopicDescription awaitCreated(String topic) {
        long deadline = System.nanoTime() + brokers.timeout().toNanos();
        while (true) {
            Optional<TopicDescription> found = describe(topic)
                    .filter(described -> described.partitions().stream().allMatch(Topics::hasLeader));
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new StoreUnavailableException(
                        "kafka.create",
                        new KafkaException("the topic " + topic + " was created, but has partitions without a leader "
                                + brokers.timeout() + " later: see kafka-topics.sh --describe"));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw new InterruptException("interrupted while a topic was created", e);
            }
        }
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

    private Config topicConfig(String topic) {
        return config("the settings of the topic " + topic, new ConfigResource(ConfigResource.Type.TOPIC, topic));
    }

    private Config config(String what, ConfigResource resource) {
        return brokers.ask(
                what,
                admin -> admin.describeConfigs(List.of(resource))
                        .values()
                        .getOrDefault(resource, KafkaFuture.completedFuture(new Config(List.of()))));
    }

    private static String value(Config config, String name) {
        return Optional.ofNullable(config.get(name)).map(ConfigEntry::value).orElse("");
    }

    private static UnusableBrokerException unusable(String message) {
        return new UnusableBrokerException(Reason.TOPIC, message, null);
    }
}
