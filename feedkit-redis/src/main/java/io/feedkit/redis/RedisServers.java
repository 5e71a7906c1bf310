package io.feedkit.redis;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.redis.internal.connection.Servers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * The servers of Redis: one server, the master that sentinels watch, or a cluster. A host gives an address or its own
 * Lettuce client. No connection is made before a store is built. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisServers {

    private final Servers servers;

    private RedisServers(Servers servers) {
        this.servers = servers;
    }

    /**
     * Returns the servers at an address.
     *
     * @param uri {@code redis://host:port/database} for one server, {@code redis-sentinel://host:port,host:port#name}
     *     for the master that these sentinels know by this name, or {@code redis-cluster://host:port,host:port} for a
     *     cluster that has these members. The scheme {@code rediss} means TLS, and {@code user:password@} may stand
     *     before the hosts
     * @return the servers
     * @throws IllegalArgumentException if it is null, or not such an address; the message does not show the password
     */
    public static RedisServers at(String uri) {
        return new RedisServers(Servers.of(nonNull("uri", uri)));
    }

    /**
     * Returns the server at an address, or the master that the sentinels at that address watch.
     *
     * @param uri the address with the credentials, the database and the encryption that the server needs. FeedKit does
     *     not use its time-out
     * @return the servers
     * @throws IllegalArgumentException if it is null, or has sentinels but no master name
     */
    public static RedisServers at(RedisURI uri) {
        return new RedisServers(Servers.of(nonNull("uri", uri)));
    }

    /**
     * Returns the server of a client of the host's. A store does not close the client.
     *
     * @param client a client that was made with an address of a server or of sentinels. Its options must have
     *     {@code disconnectedBehavior(REJECT_COMMANDS)}, {@code replayFilter(command -> true)} and
     *     {@code autoReconnect(true)}. By default Lettuce repeats a command whose answer is missing; the repeated
     *     command could undo later changes
     * @return the servers
     * @throws IllegalArgumentException if it is null, or has other options; the message names them
     */
    public static RedisServers of(RedisClient client) {
        return new RedisServers(Servers.of(nonNull("client", client)));
    }

    /**
     * Returns the cluster of a client of the host's. A store does not close the client.
     *
     * @param client a client with options as for {@link #of(RedisClient)}, and with topology refresh options that
     *     notice a failover: a periodic refresh, or the trigger {@code PERSISTENT_RECONNECTS}, which is on by default
     * @return the servers
     * @throws IllegalArgumentException if it is null, or has other options; the message names them
     */
    public static RedisServers of(RedisClusterClient client) {
        return new RedisServers(Servers.of(nonNull("client", client)));
    }

    /**
     * Returns the same servers, reached with keys and trusted certificates of the host's instead of the JVM's.
     *
     * @param options the keys and certificates
     * @return the servers
     * @throws IllegalArgumentException if it is null, the address has no TLS, or the servers are those of a client of
     *     the host's
     */
    @Beta
    public RedisServers withSsl(SslOptions options) {
        return new RedisServers(servers.with(nonNull("options", options)));
    }

    Servers servers() {
        return servers;
    }

    /** The addresses, without credentials. */
    @Override
    public String toString() {
        return servers.toString();
    }
}
