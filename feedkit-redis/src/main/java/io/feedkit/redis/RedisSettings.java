package io.feedkit.redis;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.redis.internal.start.DeferredLink;
import io.feedkit.redis.internal.start.StartedLink;
import io.lettuce.core.resource.ClientResources;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The settings that all stores in Redis have in common.
 *
 * @param <B> the builder
 */
abstract class RedisSettings<B extends RedisSettings<B>> {

    private static final int LONGEST_PREFIX = 30;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(36_500);

    private final Servers servers;
    private final SetOnce given = new SetOnce();
    private String prefix = RedisInboxes.DEFAULT_PREFIX;
    private Duration timeout = RedisInboxes.DEFAULT_TIMEOUT;
    private Optional<Clock> clock = Optional.empty();
    private Optional<ClientResources> resources = Optional.empty();

    RedisSettings(RedisServers servers) {
        this.servers = nonNull("servers", servers).servers();
    }

    abstract B self();

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
     * Sets the clock that measures leases and live windows, for tests. All engines that share the keys need the same
     * clock. With a clock set, the server keeps expired keys until a call uses them.
     *
     * @param clock the clock; by default the server's own
     * @return this builder
     */
    public B clock(Clock clock) {
        this.clock = Optional.of(once("clock", nonNull("clock", clock)));
        return self();
    }

    /**
     * Sets the threads of the store's client, to share them with other clients. Not allowed with a client of the
     * host's, which has its own threads.
     *
     * @param resources Lettuce's threads, which the store does not stop. By default the store has its own threads,
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

    /** Returns a supplier that connects and checks the servers at each call, with the present settings. */
    final Supplier<CheckedLink> attempt(FormatComponent... components) {
        Optional<ClientResources> threads = resources;
        Duration longest = timeout;
        String keys = prefix;
        return () -> CheckedLink.of(RedisLink.open(servers, threads, longest), keys, Set.of(components));
    }

    /**
     * Connects and checks the servers.
     *
     * @param withoutServer whether to return if the servers cannot be reached, and to connect later
     * @throws StoreUnavailableException if the servers cannot be reached, and {@code withoutServer} is false or the
     *     caller was interrupted
     */
    final StartedLink start(boolean withoutServer, FormatComponent component) {
        Supplier<CheckedLink> attempt = attempt(component);
        try {
            return StartedLink.of(attempt.get());
        } catch (StoreUnavailableException e) {
            if (!withoutServer || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            DeferredLink deferred = DeferredLink.start(servers, attempt, prefix, clock.orElseGet(Clock::systemUTC), e);
            return new StartedLink(deferred, deferred::warnings);
        }
    }

    /** Connects, checks the servers, sets the identity of a component, and closes the connections. */
    final Optional<String> replaceIdentity(FormatComponent component, String identity) {
        try (RedisLink link = attempt(component).get().link()) {
            return new Identities(link, new Keys(prefix)).replace(component, identity);
        }
    }

    final String prefix() {
        return prefix;
    }

    final Optional<Clock> clock() {
        return clock;
    }

    final <T> T once(String setting, T value) {
        return given.once(setting, value);
    }

    final Duration period(String setting, Duration period) {
        return period(setting, period, SHORTEST_PERIOD);
    }

    final Duration period(String setting, Duration period, Duration shortest) {
        return once(setting, between(setting, period, shortest, LONGEST_PERIOD));
    }
}
