package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the brokers about topics, groups and features, each time in bounded time. Thread-safe. */
final class Brokers implements AutoCloseable {

    /** In which Kafka's client says itself that there is no answer, and why. */
    private static final Duration GRACE = Duration.ofMillis(200);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Admin admin;
    private final Object addresses;
    private final Duration timeout;

    private Brokers(Admin admin, Object addresses, Duration timeout) {
        this.admin = admin;
        this.addresses = addresses;
        this.timeout = timeout;
    }

    /** Does not connect yet. */
    static Brokers at(ClientSettings settings, Duration timeout) {
        Map<String, Object> all = settings.admin(timeout);
        Admin admin = client(settings, () -> Admin.create(all));
        return new Brokers(admin, all.getOrDefault(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, ""), timeout);
    }

    /** Makes a client, which does not connect yet. What Kafka says of the settings must not show a password. */
    static <T> T client(ClientSettings settings, Making<T> making) {
        try {
            return making.make();
        } catch (KafkaException | IllegalArgumentException e) {
            Throwable root = e;
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                root = cause;
            }
            String message = settings.secrets().hide(root);
            throw new UnusableBrokerException(
                    Reason.SETTING, "Kafka's client refuses its settings: " + message + ": correct them", null);
        }
    }

    /** Makes a client. */
    interface Making<T> {
        T make();
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param what what is asked for, for messages
     * @throws FeedKitException if there is no answer, or a failure instead of one
     */
    <T> T ask(String what, Function<Admin, KafkaFuture<T>> question) {
        try {
            return answer(question, timeout);
        } catch (KafkaException | TimeoutException e) {
            throw failure(what, e);
        }
    }

    /** The same, and empty if there is no such topic. */
    <T> Optional<T> askIfThere(String what, Function<Admin, KafkaFuture<T>> question) {
        try {
            return Optional.of(answer(question, timeout));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (KafkaException | TimeoutException e) {
            throw failure(what, e);
        }
    }

    /** Begins to ask for several things at once; each answer is then awaited. */
    <T> T begin(Function<Admin, T> question) {
        return question.apply(admin);
    }

    /** Asks for the settings of topics or groups. */
    Map<String, Config> configs(ConfigResource.Type type, Collection<String> names) {
        List<ConfigResource> resources =
                names.stream().map(name -> new ConfigResource(type, name)).toList();
        return ask(
                        "the settings of " + names,
                        admin -> admin.describeConfigs(resources).all())
                .entrySet()
                .stream()
                .collect(Collectors.toUnmodifiableMap(entry -> entry.getKey().name(), Map.Entry::getValue));
    }

    /** What the host is told. */
    FeedKitException failure(String what, Exception failure) {
        return BrokerFailures.of(what, addresses, failure);
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws KafkaException what the brokers answered instead, or why they did not
     * @throws TimeoutException if there is no answer in time
     */
    <T> T answer(Function<Admin, KafkaFuture<T>> question, Duration limit) throws TimeoutException {
        try {
            return question.apply(admin).get(limit.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            TimeoutException failure = new TimeoutException("no answer within " + limit);
            failure.initCause(e);
            throw failure;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while the brokers were asked", e);
        }
    }

    Duration timeout() {
        return timeout;
    }

    @Override
    public void close() {
        admin.close(CLOSE_LIMIT);
    }
}
