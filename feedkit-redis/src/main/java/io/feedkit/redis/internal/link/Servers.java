package io.feedkit.redis.internal.link;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.resource.ClientResources;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where Redis is, as a host says it: one server, the sentinels that know it, or a cluster; by address, or by a client of the host's.
 *
 * <p>Everything that is wrong with it is an {@link IllegalArgumentException}, whose message never shows a password.
 */
public final class Servers {

    private static final String CLUSTER = "redis-cluster";
    private static final String CLUSTER_SECURE = "rediss-cluster";
    private static final Set<String> SINGLE = Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

    private final Opener opener;
    private final boolean hosts;

    private Servers(Opener opener, boolean hosts) {
        this.opener = opener;
        this.hosts = hosts;
    }

    /** One server, or the one that sentinels know. */
    public static Servers of(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()
                && Optional.ofNullable(uri.getSentinelMasterId()).orElse("").isEmpty()) {
            throw new IllegalArgumentException("uri must say which master of the sentinels is meant, but is " + uri);
        }
        return new Servers((resources, timeout) -> OwnClients.single(uri, resources, timeout), false);
    }

    /** Members of a cluster; some suffice. */
    public static Servers cluster(List<RedisURI> uris) {
        List<RedisURI> members = List.copyOf(uris);
        return new Servers((resources, timeout) -> OwnClients.cluster(members, resources, timeout), false);
    }

    /** What an address means. */
    public static Servers of(String uri) {
        String scheme = uri.substring(0, Math.max(0, uri.indexOf("://")));
        try {
            if (SINGLE.contains(scheme)) {
                return of(RedisURI.create(uri));
            }
            if (scheme.equals(CLUSTER) || scheme.equals(CLUSTER_SECURE)) {
                String members = scheme.replace("-cluster", "") + uri.substring(scheme.length());
                return cluster(RedisClusterURIUtil.toRedisURIs(URI.create(members)));
            }
        } catch (IllegalArgumentException e) {
            throw refused(uri);
        }
        throw refused(uri);
    }

    /** What the host's client is for. */
    public static Servers of(RedisClient client) {
        HostClients.require(client.getOptions());
        return new Servers((resources, timeout) -> HostClients.single(client), true);
    }

    /** What the host's client is for. */
    public static Servers of(RedisClusterClient client) {
        HostClients.requireCluster(client.getOptions());
        return new Servers((resources, timeout) -> HostClients.cluster(client), true);
    }

    /** Whether a client of the host's connects to them, which brings its own threads. */
    public boolean areOfHostsClient() {
        return hosts;
    }

    Connections open(Optional<ClientResources> resources, Duration timeout) {
        return opener.open(resources, timeout);
    }

    /** The cause would show the password. */
    private static IllegalArgumentException refused(String uri) {
        int credentials = uri.lastIndexOf('@');
        int begin = Math.min(Math.max(0, uri.indexOf("://") + "://".length()), credentials);
        String shown =
                credentials < 0 ? uri : uri.substring(0, Math.max(0, begin)) + "***" + uri.substring(credentials);
        return new IllegalArgumentException(
                "uri must be redis://host:port, redis-sentinel://host:port,host:port#name or"
                        + " redis-cluster://host:port,host:port, with rediss for TLS, but is \"" + shown + "\"");
    }

    private interface Opener {
        Connections open(Optional<ClientResources> resources, Duration timeout);
    }
}
