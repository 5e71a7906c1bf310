package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The connections to masters within a Lettuce connection. On one server that is the connection itself; in a cluster
 * there is one for each master.
 */
public final class MasterConnections {

    private static final String THE_SERVER = "the server";

    private MasterConnections() {}

    /**
     * The connection to the server that takes writes about a slot. In a cluster that is the master with this address.
     * If the address is empty, it is the master that has the slot as far as Lettuce knows.
     */
    public static StatefulConnection<byte[], byte[]> ofSlot(
            StatefulConnection<byte[], byte[]> connection, int slot, String address) {
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> members) {
            if (!address.isEmpty()) {
                int colon = address.lastIndexOf(':');
                return members.getConnection(
                        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            }
            RedisClusterNode node = members.getPartitions().getPartitionBySlot(slot);
            if (node == null) {
                throw new PartitionSelectorException("no master has slot " + slot, members.getPartitions());
            }
            return members.getConnection(node.getUri().getHost(), node.getUri().getPort());
        }
        return connection;
    }

    /** The address of the server that takes writes about a slot; empty if no server has the slot. */
    public static String address(StatefulConnection<byte[], byte[]> connection, int slot) {
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> members) {
            RedisClusterNode node = slot < 0 ? null : members.getPartitions().getPartitionBySlot(slot);
            return node == null ? "" : address(node);
        }
        return THE_SERVER;
    }

    /** The connection for subscriptions to the server with this address. */
    public static StatefulRedisPubSubConnection<byte[], byte[]> subscriberOf(
            StatefulRedisPubSubConnection<byte[], byte[]> connection, String address) {
        if (connection instanceof StatefulRedisClusterPubSubConnection<byte[], byte[]> members) {
            int colon = address.lastIndexOf(':');
            return members.getConnection(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        }
        return connection;
    }

    /** The connection to the server with this address, as {@link #all} names it. Does not wait for the connection. */
    public static CompletableFuture<StatefulConnection<byte[], byte[]>> ofServer(
            StatefulConnection<byte[], byte[]> connection, String address) {
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> members) {
            int colon = address.lastIndexOf(':');
            return members.getConnectionAsync(
                            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))
                    .thenApply(master -> master);
        }
        return CompletableFuture.completedFuture(connection);
    }

    private static String address(RedisClusterNode node) {
        return node.getUri().getHost() + ":" + node.getUri().getPort();
    }

    /**
     * The connections to all servers that take writes, by address: the one server, or the masters of a cluster that
     * have slots.
     */
    public static Map<String, StatefulConnection<byte[], byte[]>> all(StatefulConnection<byte[], byte[]> connection) {
        Map<String, StatefulConnection<byte[], byte[]>> masters = new LinkedHashMap<>();
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> members) {
            for (RedisClusterNode node : members.getPartitions()) {
                if (node.is(NodeFlag.UPSTREAM) && !node.hasNoSlots()) {
                    StatefulRedisConnection<byte[], byte[]> master = members.getConnection(
                            node.getUri().getHost(), node.getUri().getPort());
                    masters.put(address(node), master);
                }
            }
        } else {
            masters.put(THE_SERVER, connection);
        }
        return masters;
    }
}
