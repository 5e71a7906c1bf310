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

/** The address of Kafka's brokers, as options give it, and what a run has there. */
public final class KafkaUrl {

    private static final String SCHEME = "kafka://";
    private static final int ANSWER_MILLIS = 20_000;
    private static final Pattern BROKERS = Pattern.compile("[^@/,]+:[0-9]+(,[^@/,]+:[0-9]+)*");

    private KafkaUrl() {}

    /**
     * Tells whether it is one.
     *
     * @param url an address of any kind
     * @return whether it begins with {@code kafka://}
     */
    public static boolean is(String url) {
        return url.startsWith(SCHEME);
    }

    /**
     * Gives the settings of clients.
     *
     * @param option the option's name
     * @param url the address
     * @return the settings
     * @throws IllegalArgumentException if it is none; the message does not show it
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
     * Deletes those of some topics that are there.
     *
     * @param option the option's name
     * @param url the address
     * @param topics the topics
     * @throws IllegalStateException if topics are left
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
                throw new IllegalStateException("a topic is left on the broker", e);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Deletes groups of consumers. Groups that still have a member stay; they hold nothing but offsets.
     *
     * @param option the option's name
     * @param url the address
     * @param prefix what the names of the groups begin with
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
            // A group has a member that was killed a moment ago.
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
