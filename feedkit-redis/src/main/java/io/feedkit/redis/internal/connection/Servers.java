package io.feedkit.redis.internal.connection;

import io.feedkit.internal.check.Addresses;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of Redis: one server, the master that sentinels watch, or a cluster; given by an address, or by a client
 * of the host's.
 *
 * <p>Every error in an address or a client is an {@link IllegalArgumentException}, whose message never shows a
 * password.
 */
public final class Servers {

    private static final String CLUSTER = "redis-cluster";
    private static final String CLUSTER_SECURE = "rediss-cluster";
    private static final Set<String> SINGLE = Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

    private static final String OF_THE_HOSTS_CLIENT = "the server of the host's client";

    private final String name;
    private final Opener opener;
    private final boolean cluster;
    private final boolean ofHostsClient;

    private final boolean encrypted;

    private Servers(String name, Opener opener, boolean cluster, boolean ofHostsClient, boolean encrypted) {
        this.name = name;
        this.opener = opener;
        this.cluster = cluster;
        this.ofHostsClient = ofHostsClient;
        this.encrypted = encrypted;
    }

    /** One server, or the master that sentinels watch. */
    public static Servers of(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()
                && Optional.ofNullable(uri.getSentinelMasterId()).orElse("").isEmpty()) {
            throw new IllegalArgumentException("uri must name the master that the sentinels watch");
        }
        requireNoCredentials(uri);
        return new Servers(name(uri), settings -> OwnClients.single(uri, settings), false, false, uri.isSsl());
    }

    /** A cluster, by some of its members. */
    public static Servers cluster(List<RedisURI> uris) {
        List<RedisURI> members = List.copyOf(uris);
        members.forEach(Servers::requireNoCredentials);
        boolean encrypted = members.stream().allMatch(RedisURI::isSsl);
        return new Servers(names(members), settings -> OwnClients.cluster(members, settings), true, false, encrypted);
    }

    /** If a host contains credentials, Lettuce treats them as a part of the host's name. */
    private static void requireNoCredentials(RedisURI uri) {
        Stream.concat(Stream.of(uri), uri.getSentinels().stream())
                .map(RedisURI::getHost)
                .filter(Objects::nonNull)
                .forEach(
                        host -> Addresses.requireNoCredentials("host of the RedisURI", host, "use withAuthentication"));
    }

    /** The servers at an address. */
    public static Servers of(String uri) {
        String scheme = uri.substring(0, Math.max(0, uri.indexOf("://")));
        try {
            if (SINGLE.contains(scheme)) {
                RedisURI parsed = RedisURI.create(uri);
                return of(parsed.getSentinels().isEmpty() ? withHost(parsed) : parsed);
            }
            if (scheme.equals(CLUSTER) || scheme.equals(CLUSTER_SECURE)) {
                return cluster(members(scheme.replace("-cluster", "://"), uri.substring(uri.indexOf("://") + 3)));
            }
        } catch (IllegalArgumentException e) {
            throw refused(uri);
        }
        throw refused(uri);
    }

    /** The members, each with the credentials before the list and the settings after it. */
    private static List<RedisURI> members(String scheme, String rest) {
        int end = (rest + "/").replace('?', '/').replace('#', '/').indexOf('/', rest.lastIndexOf('@') + 1);
        int begin = rest.lastIndexOf('@', end) + 1;
        String credentials = rest.substring(0, begin);
        String settings = rest.substring(end);
        return Stream.of(rest.substring(begin, end).split(",", -1))
                .map(member -> withHost(RedisURI.create(scheme + credentials + member + settings)))
                .toList();
    }

    /** Checks the host, because Lettuce treats any text that it cannot parse as the name of a host. */
    private static RedisURI withHost(RedisURI uri) {
        if (!uri.getHost().matches("[^:,]+|\\[[^,]+]")) {
            throw new IllegalArgumentException("not a host: " + uri.getHost());
        }
        return uri;
    }

    /** The server that the host's client is for. */
    public static Servers of(RedisClient client) {
        HostClients.require(client.getOptions());
        return new Servers(OF_THE_HOSTS_CLIENT, settings -> HostClients.single(client), false, true, false);
    }

    /** The cluster that the host's client is for. */
    public static Servers of(RedisClusterClient client) {
        HostClients.requireCluster(client.getOptions());
        return new Servers(OF_THE_HOSTS_CLIENT, settings -> HostClients.cluster(client), true, true, false);
    }

    /** Whether these servers are a cluster. */
    public boolean areCluster() {
        return cluster;
    }

    /** Whether a client of the host's connects to these servers. Such a client has its own threads. */
    public boolean areOfHostsClient() {
        return ofHostsClient;
    }

    /** Returns these servers with other settings of TLS. */
    public Servers with(SslOptions options) {
        if (ofHostsClient) {
            throw new IllegalArgumentException("the host's client has its own SslOptions: set them there");
        }
        if (!encrypted) {
            throw new IllegalArgumentException("the address must have TLS, such as rediss://" + name);
        }
        return new Servers(name, settings -> opener.open(settings.with(options)), cluster, false, true);
    }

    /** Returns a factory of connections to these servers. */
    public ConnectionFactory open(Optional<ClientResources> resources, Duration timeout) {
        return opener.open(new ClientSettings(resources, timeout, Optional.empty()));
    }

    private static String name(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return names(uri.getSentinels()) + "#" + uri.getSentinelMasterId();
        }
        return Optional.ofNullable(uri.getSocket()).orElseGet(() -> uri.getHost() + ":" + uri.getPort());
    }

    private static String names(List<RedisURI> uris) {
        return uris.stream().map(Servers::name).collect(Collectors.joining(","));
    }

    /** The exception has no cause, because the cause would show the password. */
    private static IllegalArgumentException refused(String uri) {
        boolean secret = uri.contains("@") || uri.contains("=") || uri.contains("-socket");
        int begin = uri.indexOf("://") < 0 ? 0 : uri.indexOf("://") + "://".length();
        String shown = secret ? uri.substring(0, begin) + "***" : uri;
        return new IllegalArgumentException(
                "uri must be redis://host:port, redis-sentinel://host:port,host:port#name or"
                        + " redis-cluster://host:port,host:port, with rediss for TLS, but is \"" + shown + "\"");
    }

    /** The addresses, without credentials. */
    @Override
    public String toString() {
        return name;
    }

    private interface Opener {
        ConnectionFactory open(ClientSettings settings);
    }
}
