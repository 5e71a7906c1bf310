package io.feedkit.redis.internal.link;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How to get connections.
 *
 * @param connect makes one
 * @param cluster whether they are to a cluster
 * @param end ends what makes them, if that is FeedKit's
 */
record Connections(Supplier<? extends StatefulConnection<byte[], byte[]>> connect, boolean cluster, End end) {

    /** Ends what makes connections. */
    @FunctionalInterface
    interface End {

        /**
         * Ends it, whether or not the caller is interrupted.
         *
         * @param connecting whether a connection may just be coming to be, which nobody holds yet
         */
        void run(boolean connecting);
    }

    /** One that is connected to all masters, as far as they can be reached: by default the first calls would wait for that, or be refused. */
    Wire wire() {
        Wire wire = new Wire(connect.get(), cluster);
        try {
            masters(wire.connection());
        } catch (RedisException e) {
            // Calls to that master will fail, until it is back or replaced.
        } catch (Throwable e) {
            wire.connection().close();
            throw e;
        }
        return wire;
    }

    /** To the server that takes writes about a slot: the one, or the master of a cluster with this address, or that which has the slot by all that is known. */
    static StatefulConnection<byte[], byte[]> master(
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
    static Map<String, StatefulConnection<byte[], byte[]>> masters(StatefulConnection<byte[], byte[]> connection) {
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
