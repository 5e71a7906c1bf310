package io.feedkit.redis.internal.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of the host's, which are never closed, and whose options are left alone.
 *
 * <p>By Lettuce's defaults a command whose answer is missing is sent again after a reconnect, so that a script takes effect twice, with anything in between: a follow would undo a
 * later unfollow, a claim would find its own lease, a new post would be answered for as old. There is no such setting for single connections. So the client must have it.
 */
final class HostClients {

    private static final Command<byte[], byte[], Long> ANY_SCRIPT =
            new Command<>(CommandType.EVALSHA, new IntegerOutput<>(ByteArrayCodec.INSTANCE));

    private HostClients() {}

    static ConnectionFactory single(RedisClient client) {
        return new ConnectionFactory(() -> client.connect(ByteArrayCodec.INSTANCE), false, connecting -> {});
    }

    static ConnectionFactory cluster(RedisClusterClient client) {
        return new ConnectionFactory(() -> client.connect(ByteArrayCodec.INSTANCE), true, connecting -> {});
    }

    static void require(ClientOptions options) {
        refuse(wrong(options));
    }

    static void requireCluster(ClientOptions options) {
        List<String> wrong = wrong(options);
        ClusterTopologyRefreshOptions refresh = options instanceof ClusterClientOptions cluster
                ? cluster.getTopologyRefreshOptions()
                : ClusterTopologyRefreshOptions.create();
        if (!refresh.isPeriodicRefreshEnabled()
                && !refresh.getAdaptiveRefreshTriggers().contains(RefreshTrigger.PERSISTENT_RECONNECTS)) {
            wrong.add("topologyRefreshOptions(...) with a periodic refresh, for a failover would never be noticed");
        }
        refuse(wrong);
    }

    private static List<String> wrong(ClientOptions options) {
        List<String> wrong = new ArrayList<>();
        if (options.getDisconnectedBehavior() != DisconnectedBehavior.REJECT_COMMANDS) {
            wrong.add("disconnectedBehavior(REJECT_COMMANDS), for it is " + options.getDisconnectedBehavior());
        }
        if (!options.getReplayFilter().test(ANY_SCRIPT)) {
            wrong.add("replayFilter(command -> true), for scripts would be sent twice");
        }
        if (!options.isAutoReconnect()) {
            wrong.add("autoReconnect(true)");
        }
        return wrong;
    }

    private static void refuse(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(
                    "client must not send commands twice, and must connect again: set in its ClientOptions "
                            + String.join("; ", wrong));
        }
    }
}
