package io.feedkit.kafka.internal;

import io.feedkit.internal.check.Addresses;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The settings of each client: the host's, overridden by those that the queue's guarantees need. A setting of the host
 * that contradicts a guarantee is refused.
 */
public final class ClientSettings {

    private static final Map<String, Set<String>> REQUIRED = Map.of(
            ProducerConfig.ACKS_CONFIG, Set.of("all", "-1"),
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, Set.of("true"),
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, Set.of("1"),
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, Set.of("false"),
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, Set.of("earliest"),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, Set.of("read_uncommitted"),
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, Set.of("false"),
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, Set.of("explicit"),
            ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, Set.of("record_limit"));

    private static final String BY_ITSELF = "the queue sets it by itself";
    private static final String BY_SEND_TIMEOUT = "set sendTimeout of the builder instead";

    private static final Map<String, String> RESERVED = Map.ofEntries(
            Map.entry(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "the queue sends without transactions"),
            Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, BY_SEND_TIMEOUT),
            Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, BY_SEND_TIMEOUT),
            Map.entry(ConsumerConfig.GROUP_ID_CONFIG, "set group of the builder instead"),
            Map.entry(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "set mode of the builder instead"),
            Map.entry(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "subscriptions come and go"),
            Map.entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "each subscription has its own bound"),
            Map.entry(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, BY_ITSELF),
            Map.entry(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, BY_ITSELF),
            Map.entry(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, BY_ITSELF),
            Map.entry(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, BY_ITSELF));

    /**
     * Settings that a share consumer refuses, and settings that the newer protocol of consumer groups leaves to the
     * broker.
     */
    private static final Set<String> NOT_FOR_SHARES = Set.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

    private static final Set<String> NOT_FOR_NEW_PROTOCOL = Set.of(
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
            ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG);

    private static final Set<String> NOT_FOR_CLASSIC_PROTOCOL = Set.of(
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
            ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG);

    private static final int LINGER_MILLIS = 2;
    private static final int SESSION_MILLIS = 10_000;
    private static final int HEARTBEAT_MILLIS = 3_000;
    private static final int REQUEST_MILLIS = 30_000;

    /** Clients of one process need different names. */
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private final Map<String, Object> given;

    private ClientSettings(Map<String, Object> given) {
        this.given = given;
    }

    /**
     * Checks the host's settings.
     *
     * @throws UnusableBrokerException if a setting contradicts the queue's guarantees
     */
    public static ClientSettings of(Map<String, Object> given) {
        String brokers =
                given.getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "").toString();
        if (brokers.isBlank()) {
            throw refused("bootstrap.servers is missing: name some brokers, host:port,host:port");
        }
        if (Addresses.haveCredentials(brokers)) {
            throw refused(Addresses.credentials("bootstrap.servers", "set sasl.jaas.config and sasl.mechanism"));
        }
        given.forEach((name, value) -> {
            String advice = RESERVED.get(name);
            if (advice != null) {
                throw refused(name + " must not be set: " + advice);
            }
            Set<String> required = REQUIRED.getOrDefault(name, Set.of());
            String found = value.toString().strip().toLowerCase(Locale.ROOT);
            if (!required.isEmpty() && !required.contains(found)) {
                throw refused(name + " is " + value + ", but the queue needs "
                        + required.stream()
                                .sorted()
                                .reduce((one, other) -> other)
                                .orElseThrow()
                        + ": leave it out");
            }
        });
        return new ClientSettings(Map.copyOf(given));
    }

    /** The words of the settings that no message may show. */
    Secrets secrets() {
        return Secrets.of(given);
    }

    Map<String, Object> admin(Duration timeout) {
        Map<String, Object> settings = settings("admin", AdminClientConfig.configNames());
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis(timeout));
        return settings;
    }

    /**
     * A send waits at most half of the time-out before it is sent (for metadata or buffer space), and the whole
     * time-out for the answer. Only one request is in flight. With two, a partition with a new leader may refuse the
     * first and store the second. It then refuses the first until the time-out, because its sequence number is too low.
     */
    Map<String, Object> producer(Duration timeout) {
        Map<String, Object> settings = settings("producer", ProducerConfig.configNames());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout.toMillis() / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis(timeout.dividedBy(2)));
        return settings;
    }

    Map<String, Object> shareConsumer(String group, int most) {
        Map<String, Object> settings = consumer("share", group, most);
        settings.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
        settings.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
        settings.keySet().removeAll(NOT_FOR_SHARES);
        return settings;
    }

    Map<String, Object> groupConsumer(String group, int most, boolean newProtocol) {
        Map<String, Object> settings = consumer("group", group, most);
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, newProtocol ? "consumer" : "classic");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        settings.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        settings.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        settings.keySet().removeAll(newProtocol ? NOT_FOR_NEW_PROTOCOL : NOT_FOR_CLASSIC_PROTOCOL);
        return settings;
    }

    private Map<String, Object> consumer(String role, String group, int most) {
        Map<String, Object> settings = settings(role, ConsumerConfig.configNames());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, most);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    /** The host's settings without those that apply only to other kinds of clients. */
    private Map<String, Object> settings(String role, Set<String> known) {
        Set<String> ofOthers = new HashSet<>(AdminClientConfig.configNames());
        ofOthers.addAll(ProducerConfig.configNames());
        ofOthers.addAll(ConsumerConfig.configNames());
        ofOthers.removeAll(known);
        Map<String, Object> settings = new HashMap<>(given);
        settings.keySet().removeAll(ofOthers);
        settings.put(
                ProducerConfig.CLIENT_ID_CONFIG,
                given.getOrDefault(ProducerConfig.CLIENT_ID_CONFIG, "feedkit") + "-" + role + "-"
                        + CLIENTS.incrementAndGet());
        return settings;
    }

    private static int requestMillis(Duration longest) {
        return (int) Math.min(REQUEST_MILLIS, longest.toMillis() - LINGER_MILLIS);
    }

    private static UnusableBrokerException refused(String message) {
        return new UnusableBrokerException(Reason.SETTING, message, null);
    }
}
