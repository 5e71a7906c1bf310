package io.feedkit.redis.internal.call;

import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.redis.internal.connection.MasterConnections;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes calls to a connection. On one server all calls are written at once. In a cluster they are written slot by
 * slot, because only calls of one slot have one destination. Lettuce would split them, too, but if it could not reach a
 * node, it would not report which of the other calls it had sent.
 */
record BatchWriter(StatefulConnection<byte[], byte[]> connection, boolean cluster) {

    /** Opens several connections. If one fails, the others are closed. */
    static List<BatchWriter> open(int count, ConnectionFactory connections) {
        List<BatchWriter> writers = new ArrayList<>();
        try {
            while (writers.size() < count) {
                writers.add(open(connections));
            }
            return List.copyOf(writers);
        } catch (Throwable e) {
            writers.forEach(writer -> writer.connection().close());
            throw e;
        }
    }

    /**
     * Opens a connection that is connected to all masters that can be reached. By default Lettuce connects to a master
     * with the first call to it, which would then wait or fail.
     */
    private static BatchWriter open(ConnectionFactory connections) {
        StatefulConnection<byte[], byte[]> connection = connections.connect().get();
        try {
            MasterConnections.all(connection);
        } catch (RedisException e) {
            // Calls to that master fail until it is back or replaced.
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
        return new BatchWriter(connection, connections.cluster());
    }

    /**
     * Writes calls in a row to the master of the first call's slot, even if other calls belong to other slots.
     *
     * @param master its address; if empty, the master that Lettuce knows
     */
    void sendToMaster(String master, List<? extends PendingCall<?>> calls) {
        try {
            Optional<Throwable> unused = new BatchWriter(
                            MasterConnections.ofSlot(connection, calls.get(0).slot(), master), false)
                    .write(calls);
        } catch (RuntimeException e) {
            calls.forEach(attempt -> attempt.fail(new NotSentException(e)));
        }
    }

    /** Sends calls. Calls to silent servers fail without being sent. */
    void send(List<? extends PendingCall<?>> calls, SilentServers silent) {
        if (cluster && calls.size() > 1) {
            Map<Integer, List<PendingCall<?>>> slots = new LinkedHashMap<>();
            calls.forEach(attempt -> slots.computeIfAbsent(attempt.slot(), slot -> new ArrayList<>())
                    .add(attempt));
            slots.forEach((slot, some) -> write(slot, some, silent));
        } else {
            write(calls.get(0).slot(), calls, silent);
        }
    }

    private void write(int slot, List<? extends PendingCall<?>> calls, SilentServers silent) {
        Optional<SilentServerException> reason = silent.reason(slot);
        if (reason.isPresent()) {
            calls.forEach(attempt -> attempt.fail(reason.get()));
        } else {
            write(calls).ifPresent(failure -> silent.failed(slot, failure));
        }
    }

    /**
     * Writes calls. Returns the failure if they could not be written. In a cluster this may first connect to the node;
     * Lettuce waits for the connection only if it gets a list of commands.
     */
    Optional<Throwable> write(List<? extends PendingCall<?>> calls) {
        List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(calls.size());
        calls.forEach(attempt -> commands.add(attempt.command()));
        try {
            if (!cluster && calls.size() == 1) {
                connection.dispatch(calls.get(0).command());
            } else {
                connection.dispatch(commands);
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            calls.forEach(attempt -> attempt.fail(new NotSentException(e)));
            return Optional.of(e);
        }
    }
}
