package io.feedkit.tools.servers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The address of Kafka brokers in an option, and a run's topics and groups on these brokers. */
public final class KafkaUrl {

    private static final String SCHEME = "kafka://";
    private static final int ANSWER_MILLIS = 20_000;
    private static final Pattern BROKERS = Pattern.compile("[^@/,]+:[0-9]+(,[^@/,]+:[0-9]+)*");

    private KafkaUrl() {}

    /**
     * Returns whether an address is that of Kafka brokers.
     *
     * @param url an address of any kind
     * @return whether it begins with {@code kafka://}
     */
    public static boolean is(String url) {
        return url.startsWith(SCHEME);
    }

    /**
     * Returns the settings of clients.
     *
     * @param option the option's name
     * @param url the address
     * @return the settings
     * @throws IllegalArgumentException if the address is wrong. The message does not show it
     */
    public static Map<String, Object> settings(String option, String url) {
        if (!is(url) || !BROKERS.matcher(url.substring(SCHEME.length())).matches()) {
            throw new IllegalArgumentException(
                    option + " must be kafka://HOST:PORT or kafka://HOST:PORT,HOST:PORT, without a user or a password");
        }
        return Map.of("bootstrap.servers", url.substring(SCHEME.length()));
    }

    /**
     * Creates a topic with one partition.
     *
     * @param option the option's name
     * @param url the address
     * @param topic the topic
     * @throws IllegalArgumentException if the brokers do not answer, or refuse
     */
    public static void createTopic(String option, String url, String topic) {
        try (Admin admin = admin(option, url)) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalArgumentException(option + " cannot be used: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Deletes topics. Missing topics are ignored.
     *
     * @param option the option's name
     * @param url the address
     * @param topics the topics
     * @throws IllegalStateException if a topic cannot be deleted
     */
    public static void deleteTopics(String option, String url, List<String> topics) {
        try (Admin admin = admin(option, url)) {
            admin.deleteTopics(topics).topicNameValues().values().forEach(KafkaUrl::awaitDeletion);
        }
    }

    private static void awaitDeletion(KafkaFuture<Void> deletion) {
        try {
            deletion.get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw new IllegalStateException("a topic could not be deleted from the broker", e);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Deletes groups of consumers. Groups that still have a member stay. They hold only offsets.
     *
     * @param option the option's name
     * @param url the address
     * @param prefix the prefix of the names of the groups
     */
    public static void deleteGroups(String option, String url, String prefix) {
        try (Admin admin = admin(option, url)) {
            for (GroupListing group : admin.listGroups().all().get()) {
                List<String> id = List.of(group.groupId());
                if (group.groupId().startsWith(prefix)) {
                    boolean shares = group.type().equals(Optional.of(GroupType.SHARE));
                    (shares
                                    ? admin.deleteShareGroups(id).all()
                                    : admin.deleteConsumerGroups(id).all())
                            .get();
                }
            }
        } catch (ExecutionException e) {
            // A group still has a member that was just killed.
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static Admin admin(String option, String url) {
        Map<String, Object> settings = new HashMap<>(settings(option, url));
        settings.put("default.api.timeout.ms", ANSWER_MILLIS);
        settings.put("request.timeout.ms", ANSWER_MILLIS);
        return Admin.create(settings);
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
