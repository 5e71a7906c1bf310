package io.feedkit.redis.internal.call;

import io.feedkit.redis.internal.connection.MasterConnections;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Servers that have not answered a call in time. Further calls to them are not sent, and fail at once: otherwise each
 * would wait for the time-out, and so would the calls to other servers that belong to the same batch. Such a server is
 * pinged on all connections, until it answers on one, or fails for another reason. A server that was only slow
 * answers immediately. No thread waits for a ping. Thread-safe.
 */
final class SilentServers {

    private final List<StatefulConnection<byte[], byte[]>> connections;
    private final boolean cluster;
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    /**
     * The servers of these connections.
     *
     * @param connections all connections of a link: one of them may be silent alone
     */
    SilentServers(List<StatefulConnection<byte[], byte[]>> connections, boolean cluster) {
        this.connections = connections;
        this.cluster = cluster;
    }

    /** The reason why a call about a slot must not be sent now; empty if it may be. */
    Optional<SilentServerException> reason(int slot) {
        return silent.isEmpty() ? Optional.empty() : reason(MasterConnections.address(connections.get(0), slot));
    }

    /** The reason why a call to a server must not be sent now; empty if it may be. */
    Optional<SilentServerException> reason(String server) {
        return silent.contains(server) ? Optional.of(new SilentServerException(server, cluster)) : Optional.empty();
    }

    /** Marks the server of a slot as silent if a call failed because there was no answer in time. */
    void failed(int slot, Throwable failure) {
        failed(MasterConnections.address(connections.get(0), slot), failure);
    }

    /** Marks a server as silent if a call failed because there was no answer in time. */
    void failed(String server, Throwable failure) {
        if (!server.isEmpty() && CallFailures.isTimeout(failure) && silent.add(server)) {
            ping(server);
        }
    }

    private void ping(String server) {
        List<CompletableFuture<Boolean>> stillSilent = connections.stream()
                .map(connection -> isSilent(server, connection))
                .toList();
        CompletableFuture<Void> unused = CompletableFuture.allOf(stillSilent.toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> {
                    if (stillSilent.stream().allMatch(CompletableFuture::join)) {
                        ping(server);
                    }
                });
    }

    /** Pings on one connection. The server is no longer silent once it answers on any connection. */
    private CompletableFuture<Boolean> isSilent(String server, StatefulConnection<byte[], byte[]> connection) {
        try {
            return MasterConnections.ofServer(connection, server)
                    .thenCompose(master -> {
                        AsyncCommand<byte[], byte[], String> ping = Call.general(CommandType.PING, StatusOutput::new)
                                .command();
                        master.dispatch(ping);
                        return ping;
                    })
                    .handle((pong, failure) -> isSilent(server, failure));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(isSilent(server, e));
        }
    }

    private boolean isSilent(String server, @Nullable Throwable failure) {
        boolean still = failure != null && CallFailures.isTimeout(failure);
        if (!still) {
            silent.remove(server);
        }
        return still;
    }
}
