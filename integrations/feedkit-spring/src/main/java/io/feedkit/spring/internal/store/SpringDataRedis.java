package io.feedkit.spring.internal.store;

import static java.util.stream.Collectors.joining;

import io.feedkit.redis.RedisServers;
import io.feedkit.spring.InvalidSettingException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Reads from Spring Data Redis where Redis is. */
public final class SpringDataRedis {

    private static final String CONFIGURATION = "configuration";

    private SpringDataRedis() {}

    /**
     * The servers of a connection factory, with its credentials and encryption. No connection is made.
     *
     * @throws InvalidSettingException if FeedKit has no address for them
     */
    public static RedisServers servers(RedisConnectionFactory factory) {
        if (!(factory instanceof LettuceConnectionFactory lettuce)) {
            throw new InvalidSettingException(
                    "feedkit.redis.uri",
                    null,
                    "FeedKit cannot read an address from the RedisConnectionFactory, a "
                            + factory.getClass().getSimpleName() + ".",
                    "Set feedkit.redis.uri, or remove feedkit-redis from the class path.",
                    null);
        }
        LettuceClientConfiguration client = lettuce.getClientConfiguration();
        try {
            RedisServers servers = at(lettuce, client);
            Optional<SslOptions> ssl =
                    client.getClientOptions().map(ClientOptions::getSslOptions).filter(options -> client.isUseSsl());
            return ssl.map(servers::withSsl).orElse(servers);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "spring.data.redis",
                    "not usable",
                    e.getMessage() + ".",
                    "Correct the settings of Spring Data Redis, or set feedkit.redis.uri.",
                    e);
        }
    }

    private static RedisServers at(LettuceConnectionFactory factory, LettuceClientConfiguration client) {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster != null) {
            return RedisServers.at(clusterAddress(cluster, client));
        }
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            return RedisServers.at(sentinelAddress(sentinel, client));
        }
        if (factory.getSocketConfiguration() != null) {
            throw new IllegalArgumentException("FeedKit does not take Unix sockets from Spring Data Redis");
        }
        requireOneServer(factory);
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(factory.getHostName())
                .withPort(factory.getPort())
                .withDatabase(factory.getDatabase());
        RedisPassword password = RedisPassword.of(factory.getPassword());
        return RedisServers.at(secured(uri, server.getUsername(), password, client));
    }

    /** Spring has no accessor for this kind, and answers the default address, localhost, for it. */
    private static void requireOneServer(LettuceConnectionFactory factory) {
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        if (fields.isReadableProperty(CONFIGURATION)
                && fields.getPropertyValue(CONFIGURATION) instanceof RedisStaticMasterReplicaConfiguration) {
            throw new IllegalArgumentException(
                    "FeedKit does not take a fixed master with replicas from Spring Data Redis");
        }
    }

    private static RedisURI sentinelAddress(RedisSentinelConfiguration from, LettuceClientConfiguration client) {
        String master = from.getMaster() == null ? null : from.getMaster().getName();
        if (master == null) {
            throw new IllegalArgumentException("the sentinels need the name of a master");
        }
        RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(master).withDatabase(from.getDatabase());
        for (RedisNode node : from.getSentinels()) {
            RedisURI.Builder one = RedisURI.builder().withHost(host(node)).withPort(port(node));
            uri.withSentinel(secured(one, from.getSentinelUsername(), from.getSentinelPassword(), client));
        }
        return secured(uri, from.getUsername(), from.getPassword(), client);
    }

    private static RedisURI secured(
            RedisURI.Builder uri, @Nullable String user, RedisPassword password, LettuceClientConfiguration client) {
        password.toOptional().ifPresent(secret -> {
            if (user == null || user.isEmpty()) {
                uri.withPassword(secret);
            } else {
                uri.withAuthentication(user, secret);
            }
        });
        return uri.withSsl(client.isUseSsl())
                .withStartTls(client.isStartTls())
                .withVerifyPeer(client.getVerifyMode())
                .build();
    }

    /** Nodes of a cluster are found from any of these. */
    private static String clusterAddress(RedisClusterConfiguration from, LettuceClientConfiguration client) {
        String user = from.getUsername();
        String credentials = from.getPassword()
                .toOptional()
                .map(secret -> (user == null ? "" : encoded(user)) + ":" + encoded(new String(secret)) + "@")
                .orElse("");
        return (client.isUseSsl() ? "rediss-cluster://" : "redis-cluster://")
                + credentials
                + from.getClusterNodes().stream()
                        .map(node -> host(node) + ":" + port(node))
                        .sorted()
                        .collect(joining(","))
                + "/?verifyPeer=" + client.getVerifyMode();
    }

    private static String host(RedisNode node) {
        String host = node.getHost();
        if (host == null) {
            throw new IllegalArgumentException("a node of Redis needs a host, but is " + node);
        }
        return host;
    }

    private static int port(RedisNode node) {
        Integer port = node.getPort();
        return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
