package io.feedkit.tools.brokers;

import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.kafka.KafkaPostEvents;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.tools.servers.FanoutQueues;
import io.feedkit.tools.servers.KafkaUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all commands have: the servers that the processes share, and the names on them. */
final class Place {

    /** The author with many followers. */
    static final String CELEBRITY = "celebrity";

    private static final String DATABASE_VARIABLE = "FEEDKIT_DATABASE";
    private static final String REDIS_VARIABLE = "FEEDKIT_REDIS";
    private static final String QUEUE_VARIABLE = "FEEDKIT_QUEUE";
    private static final String EVENTS_VARIABLE = "FEEDKIT_EVENTS";

    private static final String NO_EVENTS = "none";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final List<String> SHARED_DATABASES = List.of(POSTGRESQL, "jdbc:mariadb:");
    private static final int SHORTEST_LEASE = 2;
    private static final int LONGEST_LEASE = 600;

    /** Much longer than the loan of a task. */
    private static final Duration MESSAGES_KEPT = Duration.ofHours(2);

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it and the defaults
    private CommandSpec spec;

    @Option(
            names = "--database",
            defaultValue = "${env:" + DATABASE_VARIABLE + "}",
            paramLabel = "URL",
            description = "JDBC URL of a PostgreSQL or MariaDB database (or set " + DATABASE_VARIABLE + ").")
    private @Nullable String database;

    @Option(
            names = "--redis",
            defaultValue = "${env:" + REDIS_VARIABLE + "}",
            paramLabel = "URL",
            description = "redis://HOST:PORT of the inboxes. By default they are in the database (or set "
                    + REDIS_VARIABLE + ").")
    private @Nullable String redis;

    @Option(
            names = "--queue",
            defaultValue = "${env:" + QUEUE_VARIABLE + "}",
            paramLabel = "URL",
            description = "Broker of the tasks: amqp://USER:PASSWORD@HOST:PORT or kafka://HOST:PORT (or set "
                    + QUEUE_VARIABLE + ").")
    private @Nullable String queue;

    @Option(
            names = "--events",
            defaultValue = "${env:" + EVENTS_VARIABLE + "}",
            paramLabel = "URL",
            description = "kafka://HOST:PORT of the post events, or none. By default the broker of the tasks, if it is "
                    + "Kafka (or set " + EVENTS_VARIABLE + ").")
    private @Nullable String events;

    @Option(
            names = "--lease",
            defaultValue = "3",
            paramLabel = "SECONDS",
            description = "Lease of a worker on a task, and loan of a task to the queue (default: ${DEFAULT-VALUE}).")
    private int leaseSeconds;

    private String run = "brokers";

    @Option(
            names = "--post",
            defaultValue = "post-1",
            paramLabel = "ID",
            description = "Id of the post (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String post;

    @Option(
            names = "--run",
            defaultValue = "brokers",
            paramLabel = "NAME",
            description = "Prefix of the tables, keys, queues and topics of the run (default: ${DEFAULT-VALUE}, to "
                    + "which the demonstration adds random characters).")
    void setRun(String name) {
        if (!name.matches("[a-z][a-z0-9]{0,19}")) {
            throw new ParameterException(
                    spec.commandLine(), "run must be 1 to 20 characters a-z and 0-9, beginning with a letter");
        }
        run = name;
    }

    /**
     * Checks the options.
     *
     * @throws ParameterException if one is wrong or missing; no message shows a URL
     */
    void check() {
        if (SHARED_DATABASES.stream().noneMatch(database()::startsWith)) {
            throw refused(
                    "database must be a JDBC URL of PostgreSQL or MariaDB, because several processes share it", null);
        }
        if (database().split("\\?", 2)[0].contains("@")) {
            throw refused(
                    "database must not have user:password@ before the host: use "
                            + "?user=USER&password=PASSWORD after the database's name",
                    null);
        }
        if (leaseSeconds < SHORTEST_LEASE || leaseSeconds > LONGEST_LEASE) {
            throw refused(
                    "lease must be between " + SHORTEST_LEASE + " and " + LONGEST_LEASE + " seconds, but is "
                            + leaseSeconds,
                    null);
        }
        orRefuse(() -> FanoutQueues.requireBroker(queueUrl()));
        orRefuse(() -> events().map(url -> KafkaUrl.settings("events", url)));
    }

    /** Does something that fails only if an option is wrong or a server cannot be used. */
    <T> T orRefuse(Supplier<T> action) {
        try {
            return action.get();
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()), e);
        } catch (FeedKitException e) {
            throw refused("a server cannot be used: " + e.getMessage(), e);
        }
    }

    private ParameterException refused(String message, @Nullable Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }

    private String given(String option, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw refused(option + " is missing", null);
        }
        return value;
    }

    String run() {
        return run;
    }

    String database() {
        return given("--database", database);
    }

    Optional<String> redis() {
        return Optional.ofNullable(redis).filter(url -> !url.isBlank());
    }

    String queueUrl() {
        return given("--queue", queue);
    }

    /** The address of Kafka for the post events. */
    Optional<String> events() {
        if (events == null || events.isBlank()) {
            return Optional.of(queueUrl()).filter(KafkaUrl::is);
        }
        return Optional.of(events).filter(url -> !url.equals(NO_EVENTS));
    }

    Duration lease() {
        return Duration.ofSeconds(leaseSeconds);
    }

    /** The time-out of calls to servers, which is shorter than a lease. */
    Duration timeout() {
        return lease().multipliedBy(2).dividedBy(3);
    }

    PostKey key() {
        return new PostKey(CELEBRITY, post);
    }

    Post post() {
        return new Post(CELEBRITY, post, Instant.now());
    }

    String tablePrefix() {
        return run + "_";
    }

    String queuePrefix() {
        return run + "-queue";
    }

    String eventTopic() {
        return run + "-events";
    }

    /** The URLs as environment variables of another process, because other users can see arguments. */
    Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        variables.put(DATABASE_VARIABLE, database());
        variables.put(REDIS_VARIABLE, redis().orElse(""));
        variables.put(QUEUE_VARIABLE, queueUrl());
        variables.put(EVENTS_VARIABLE, events().orElse(NO_EVENTS));
        return variables;
    }

    /** The other options. */
    List<String> arguments() {
        return List.of("--run", run, "--lease", Integer.toString(leaseSeconds), "--post", post);
    }

    JdbcFeedStore openDatabase(int connections, Duration timeout) {
        return JdbcFeedStore.builder(database())
                .prefix(tablePrefix())
                .poolSize(connections)
                .timeout(timeout)
                .notifications(database().startsWith(POSTGRESQL))
                .build();
    }

    Optional<RedisInboxes> openInboxes(Duration timeout) {
        return redis().map(url -> RedisInboxes.builder(RedisServers.at(url))
                .prefix(run)
                .timeout(timeout)
                .build());
    }

    FanoutQueue openQueue() {
        return FanoutQueues.connect(queueUrl(), queuePrefix(), MESSAGES_KEPT, timeout());
    }

    Optional<KafkaPostEvents> openEvents() {
        return events().map(url -> KafkaPostEvents.builder(KafkaUrl.settings("events", url), eventTopic())
                .source("/tools/brokers")
                .sendTimeout(timeout())
                .build());
    }
}
