package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.util.LinkedHashMap;
import java.util.Map;

/** The connections of one connection that lead to masters: it alone on one server, and one for each master of a cluster. */
public final class MasterConnections {

    private MasterConnections() {}

    /** To the server that takes writes about a slot: the one, or the master of a cluster with this address, or that which has the slot by all that is known. */
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
                throw new PartitionSelectorException("nobody has slot " + slot, members.getPartitions());
            }
            return members.getConnection(node.getUri().getHost(), node.getUri().getPort());
        }
        return connection;
    }

    /** To each server that takes writes, by its address: the one, or the masters of a cluster that have slots. */
    public static Map<String, StatefulConnection<byte[], byte[]>> all(StatefulConnection<byte[], byte[]> connection) {
        Map<String, StatefulConnection<byte[], byte[]>> masters = new LinkedHashMap<>();
        if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> members) {
            for (RedisClusterNode node : members.getPartitions()) {
                if (node.is(NodeFlag.UPSTREAM) && !node.hasNoSlots()) {
                    String host = node.getUri().getHost();
                    int port = node.getUri().getPort();
                    StatefulRedisConnection<byte[], byte[]> master = members.getConnection(host, port);
                    masters.put(host + ":" + port, master);
                }
            }
        } else {
            masters.put("the server", connection);
        }
        return masters;
    }
}
