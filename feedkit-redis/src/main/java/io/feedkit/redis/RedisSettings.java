package io.feedkit.redis;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.StoreUnavailableException;
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
abstract class RedisSettings<B extends RedisSettings<B>> extends RedisClientSettings<B> {

    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(36_500);

    private Optional<Clock> clock = Optional.empty();

    RedisSettings(RedisServers servers) {
        super(servers);
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

    /** Returns a supplier that connects and checks the servers at each call, with the present settings. */
    final Supplier<CheckedLink> attempt(FormatComponent... components) {
        Servers servers = servers();
        Optional<ClientResources> threads = resources();
        Duration longest = timeout();
        String keys = prefix();
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
            DeferredLink deferred =
                    DeferredLink.start(servers(), attempt, prefix(), clock.orElseGet(Clock::systemUTC), e);
            return new StartedLink(deferred, deferred::warnings);
        }
    }

    /** Connects, checks the servers, sets the identity of a component, and closes the connections. */
    final Optional<String> replaceIdentity(FormatComponent component, String identity) {
        try (RedisLink link = attempt(component).get().link()) {
            return new Identities(link, new Keys(prefix())).replace(component, identity);
        }
    }

    final Optional<Clock> clock() {
        return clock;
    }

    final Duration period(String setting, Duration period) {
        return period(setting, period, SHORTEST_PERIOD);
    }

    final Duration period(String setting, Duration period, Duration shortest) {
        return once(setting, between(setting, period, shortest, LONGEST_PERIOD));
    }
}
