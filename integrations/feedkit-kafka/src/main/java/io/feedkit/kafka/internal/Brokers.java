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

    /** Extra time, in which Kafka's client itself reports that there is no answer, and why. */
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

    /** Creates brokers, without connecting yet. */
    static Brokers at(ClientSettings settings, Duration timeout) {
        Map<String, Object> all = settings.admin(timeout);
        Admin admin = client(settings, () -> Admin.create(all));
        return new Brokers(admin, all.getOrDefault(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, ""), timeout);
    }

    /**
     * Creates a client, which does not connect yet. Kafka's message about refused settings must not show a password.
     */
    static <T> T client(ClientSettings settings, ClientFactory<T> factory) {
        try {
            return factory.create();
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

    /** Creates a client. */
    interface ClientFactory<T> {
        T create();
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param what what is requested, for messages
     * @throws FeedKitException if there is no answer, or a failure instead of one
     */
    <T> T ask(String what, Function<Admin, KafkaFuture<T>> question) {
        try {
            return answer(question, timeout);
        } catch (KafkaException | TimeoutException e) {
            throw failure(what, e);
        }
    }

    /** The same, but empty if there is no such topic. */
    <T> Optional<T> askIfThere(String what, Function<Admin, KafkaFuture<T>> question) {
        try {
            return Optional.of(answer(question, timeout));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        } catch (KafkaException | TimeoutException e) {
            throw failure(what, e);
        }
    }

    /** Sends several requests at once. The caller then waits for each answer. */
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

    /** Translates a failure for the host. */
    FeedKitException failure(String what, Exception failure) {
        return BrokerFailures.of(what, addresses, failure);
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws KafkaException the failure with which the brokers answered, or why they did not answer
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
