package io.feedkit.redis.internal.link;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes calls to a connection: those for one server at once, those for a cluster by slots, since only what has one slot has one destination. Lettuce would
 * split them, too, but then a node that cannot be reached would leave it open which others were sent.
 */
record Wire(StatefulConnection<byte[], byte[]> connection, boolean cluster) {

    <T> void send(List<Attempt<T>> attempts) {
        if (cluster && attempts.size() > 1) {
            Map<Integer, List<Attempt<T>>> slots = new LinkedHashMap<>();
            attempts.forEach(attempt -> slots.computeIfAbsent(attempt.slot(), slot -> new ArrayList<>())
                    .add(attempt));
            slots.values().forEach(this::write);
        } else {
            write(attempts);
        }
    }

    /** In a cluster this may have to connect to the node first, which calls alone would not wait for. */
    private <T> void write(List<Attempt<T>> attempts) {
        List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(attempts.size());
        attempts.forEach(attempt -> commands.add(attempt.command()));
        try {
            if (!cluster && attempts.size() == 1) {
                connection.dispatch(attempts.get(0).command());
            } else {
                connection.dispatch(commands);
            }
        } catch (RuntimeException e) {
            attempts.forEach(attempt -> attempt.fail(new NotSentException(e)));
        }
    }
}
