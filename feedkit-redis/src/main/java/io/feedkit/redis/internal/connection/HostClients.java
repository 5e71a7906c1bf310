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
 * Clients of the host's. FeedKit never closes them, and does not change their options.
 *
 * <p>By default, after a reconnect, Lettuce repeats the commands whose answers are missing. So a script could take
 * effect twice, with other changes in between: a repeated follow would undo a later unfollow, a repeated claim would
 * find its own lease, and a new post would be reported as an existing one. Lettuce has no such setting for single
 * connections, so the client must have it.
 */
final class HostClients {

    private static final Command<byte[], byte[], Long> ANY_SCRIPT =
            new Command<>(CommandType.EVALSHA, new IntegerOutput<>(ByteArrayCodec.INSTANCE));

    private HostClients() {}

    static ConnectionFactory single(RedisClient client) {
        return new ConnectionFactory(
                () -> client.connect(ByteArrayCodec.INSTANCE),
                () -> client.connectPubSub(ByteArrayCodec.INSTANCE),
                () -> {},
                false,
                connecting -> {});
    }

    static ConnectionFactory cluster(RedisClusterClient client) {
        return new ConnectionFactory(
                () -> client.connect(ByteArrayCodec.INSTANCE),
                () -> client.connectPubSub(ByteArrayCodec.INSTANCE),
                client::refreshPartitions,
                true,
                connecting -> {});
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
            wrong.add("topologyRefreshOptions(...) with a periodic refresh, or it never notices a failover");
        }
        refuse(wrong);
    }

    private static List<String> wrong(ClientOptions options) {
        List<String> wrong = new ArrayList<>();
        if (options.getDisconnectedBehavior() != DisconnectedBehavior.REJECT_COMMANDS) {
            wrong.add("disconnectedBehavior(REJECT_COMMANDS), which is " + options.getDisconnectedBehavior());
        }
        if (!options.getReplayFilter().test(ANY_SCRIPT)) {
            wrong.add("replayFilter(command -> true), or it sends scripts twice");
        }
        if (!options.isAutoReconnect()) {
            wrong.add("autoReconnect(true)");
        }
        return wrong;
    }

    private static void refuse(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(
                    "client must not send commands twice, and must reconnect: set in its ClientOptions "
                            + String.join("; ", wrong));
        }
    }
}
