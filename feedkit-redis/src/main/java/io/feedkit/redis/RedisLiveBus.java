package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.internal.bus.BusListeners;
import io.feedkit.live.LiveBus;
import io.feedkit.redis.internal.bus.BusConnector;
import io.feedkit.redis.internal.format.Keys;

/**
 * A bus on the publish/subscribe of Redis 6.2 or later, or Valkey: on one server, on a master that sentinels watch, or
 * in a cluster.
 *
 * <pre>{@code
 * RedisLiveBus bus = RedisLiveBus.create(RedisServers.at("redis://cache.internal"));
 * FeedEngine feed = FeedEngine.builder(store).live(live -> live.bus(bus)).build();
 * }</pre>
 *
 * <p>The bus connects when it is first used, and starts without the server. One connection publishes and another one
 * is subscribed, however many engines use the bus; in a cluster there are two further connections, by which Lettuce
 * learns who the members are. The connections belong to FeedKit's own Lettuce client, or to the host's. One more
 * thread connects, and again after a loss or a failover, or when no message arrives although some were sent. Listeners
 * are called on Lettuce's threads, one call at a time. Thread-safe.
 *
 * <p>All engines of a deployment use the same prefix. Channels do not belong to a database of the server, so
 * deployments on one server need different prefixes even if their databases differ.
 *
 * @since 0.1.0
 */
@Beta
public final class RedisLiveBus implements LiveBus, AutoCloseable {

    private final String prefix;
    private final BusListeners listeners = new BusListeners();
    private final BusConnector connector;

    private RedisLiveBus(Builder settings) {
        prefix = settings.prefix();
        connector = new BusConnector(
                prefix,
                settings.servers().toString(),
                settings.connections(),
                new Keys(prefix).ofPartition("live", 0),
                settings.timeout(),
                listeners);
    }

    /**
     * Creates a bus with default settings.
     *
     * @param servers where Redis is
     * @return the bus
     * @throws IllegalArgumentException if it is null
     */
    public static RedisLiveBus create(RedisServers servers) {
        return builder(servers).build();
    }

    /**
     * Returns a builder of a bus.
     *
     * @param servers where Redis is
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(RedisServers servers) {
        return new Builder(servers);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The call waits for the server's answer, at most the {@linkplain Builder#timeout time-out}. If the last attempt
     * to connect failed, it fails at once. Do not call it from a listener.
     */
    @Override
    public void send(String message) {
        connector.send(BusListeners.requireMessage(message));
    }

    @Override
    public Registration listen(Listener listener) {
        Registration registration = listeners.add(listener);
        connector.start();
        return registration;
    }

    /**
     * Closes the connections, and the client and its threads unless they are the host's. Listeners get no further
     * messages, and {@link #send} fails. Close the engines first, and do not call this from a listener. Idempotent.
     */
    @Override
    public void close() {
        connector.close();
    }

    @Override
    public String toString() {
        return "RedisLiveBus[" + prefix + "]";
    }

    /**
     * Settings of a bus. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    @Beta
    public static final class Builder extends RedisClientSettings<Builder> {

        private Builder(RedisServers servers) {
            super(servers);
        }

        /**
         * Sets the prefix of the channel's name. Buses with different prefixes do not receive each other's messages.
         *
         * @param prefix 1 to 30 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .};
         *     {@link RedisInboxes#DEFAULT_PREFIX} by default
         * @return this builder
         */
        @Override
        public Builder prefix(String prefix) {
            return super.prefix(prefix);
        }

        /**
         * Creates the bus. This does not connect, and does not wait for the servers.
         *
         * @return the bus
         */
        public RedisLiveBus build() {
            return new RedisLiveBus(this);
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
