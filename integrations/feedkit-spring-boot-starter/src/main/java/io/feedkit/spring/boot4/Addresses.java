package io.feedkit.spring.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Writes the settings of Spring Data Redis as FeedKit's addresses. */
final class Addresses {

    private Addresses() {}

    static String of(DataRedisConnectionDetails details) {
        String user = user(details.getUsername(), details.getPassword());
        Cluster cluster = details.getCluster();
        if (cluster != null) {
            return scheme("redis-cluster", details.getSslBundle() != null) + user + hosts(cluster.getNodes());
        }
        Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return scheme("redis-sentinel", details.getSslBundle() != null) + user + hosts(sentinel.getNodes()) + "/"
                    + sentinel.getDatabase() + "#" + sentinel.getMaster();
        }
        Standalone standalone = details.getStandalone();
        if (standalone == null) {
            throw new IllegalArgumentException(
                    "FeedKit needs one Redis server, Sentinel or Cluster, but spring.data.redis"
                            + " names none of these: set feedkit.redis.uri");
        }
        return scheme("redis", details.getSslBundle() != null) + user + standalone.getHost() + ":"
                + standalone.getPort() + "/" + standalone.getDatabase();
    }

    private static String scheme(String scheme, boolean encrypted) {
        return (encrypted ? "rediss" + scheme.substring("redis".length()) : scheme) + "://";
    }

    private static String user(@Nullable String name, @Nullable String password) {
        return password == null ? "" : (name == null ? "" : encoded(name)) + ":" + encoded(password) + "@";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private static String hosts(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
    }
}
