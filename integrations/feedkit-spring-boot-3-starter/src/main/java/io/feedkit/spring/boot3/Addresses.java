package io.feedkit.spring.boot3;

import io.feedkit.spring.internal.store.RedisAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Cluster;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Node;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Sentinel;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Standalone;

/** Writes the settings of Spring Data Redis as FeedKit's addresses. */
final class Addresses {

    private Addresses() {}

    static String of(RedisConnectionDetails details) {
        RedisAddress address = new RedisAddress(details.getUsername(), details.getPassword());
        Cluster cluster = details.getCluster();
        if (cluster != null) {
            return address.cluster(cluster.getSslBundle() != null, hosts(cluster.getNodes()));
        }
        Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return address.sentinel(
                    sentinel.getSslBundle() != null,
                    hosts(sentinel.getNodes()),
                    sentinel.getDatabase(),
                    sentinel.getMaster());
        }
        Standalone standalone = details.getStandalone();
        if (standalone == null) {
            throw new IllegalArgumentException(
                    "FeedKit needs one Redis server, Sentinel or Cluster, but spring.data.redis"
                            + " names none of these: set feedkit.redis.uri");
        }
        return address.server(
                standalone.getSslBundle() != null,
                standalone.getHost(),
                standalone.getPort(),
                standalone.getDatabase());
    }

    private static List<String> hosts(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
