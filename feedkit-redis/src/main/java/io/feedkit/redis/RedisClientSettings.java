package io.feedkit.redis;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.internal.check.SetOnce;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.redis.internal.connection.Servers;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings that everything in Redis has in common: names, time-outs and threads.
 *
 * @param <B> the builder
 */
abstract class RedisClientSettings<B extends RedisClientSettings<B>> {

    private static final int LONGEST_PREFIX = 30;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private final Servers servers;
    private final SetOnce given = new SetOnce();
    private String prefix = RedisInboxes.DEFAULT_PREFIX;
    private Duration timeout = RedisInboxes.DEFAULT_TIMEOUT;
    private Optional<ClientResources> resources = Optional.empty();

    RedisClientSettings(RedisServers servers) {
        this.servers = nonNull("servers", servers).servers();
    }

    abstract B self();

    /** The servers and the names of the keys, for people. */
    final String place() {
        return "Redis at " + servers + ", keys " + prefix + ":*";
    }

    /**
     * Sets the prefix of all key names. Stores with different prefixes do not see each other's data. Each source of
     * truth needs its own prefix: a store refuses data that belong to another source of truth.
     *
     * @param prefix 1 to 30 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .};
     *     {@link RedisInboxes#DEFAULT_PREFIX} by default
     * @return this builder
     */
    public B prefix(String prefix) {
        if (!nonNull("prefix", prefix).matches("[a-zA-Z0-9_.-]{1," + LONGEST_PREFIX + "}")) {
            throw new IllegalArgumentException("prefix must be 1 to " + LONGEST_PREFIX
                    + " characters a-z, A-Z, 0-9, _, - and ., but is \"" + prefix + "\"");
        }
        this.prefix = once("prefix", prefix);
        return self();
    }

    /**
     * Limits how long a call waits for an answer, and for a connection. A client of the host's has its own limit for
     * connections.
     *
     * @param timeout 10 milliseconds to a day; {@link RedisInboxes#DEFAULT_TIMEOUT} by default
     * @return this builder
     */
    public B timeout(Duration timeout) {
        this.timeout = once("timeout", between("timeout", timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
        return self();
    }

    /**
     * Sets the threads of FeedKit's client, to share them with other clients. Not allowed with a client of the
     * host's, which has its own threads.
     *
     * @param resources Lettuce's threads, which FeedKit does not stop. By default the client has its own threads,
     *     which send simultaneous calls together
     * @return this builder
     */
    public B resources(ClientResources resources) {
        nonNull("resources", resources);
        if (servers.areOfHostsClient()) {
            throw new IllegalArgumentException("resources must not be set beside a client, which has its own");
        }
        this.resources = Optional.of(once("resources", resources));
        return self();
    }

    /** Creates a client, or a view of the host's, that has no connections yet. */
    final ConnectionFactory connections() {
        return servers.open(resources, timeout);
    }

    final Servers servers() {
        return servers;
    }

    final String prefix() {
        return prefix;
    }

    final Duration timeout() {
        return timeout;
    }

    final Optional<ClientResources> resources() {
        return resources;
    }

    final <T> T once(String setting, T value) {
        return given.once(setting, value);
    }
}
