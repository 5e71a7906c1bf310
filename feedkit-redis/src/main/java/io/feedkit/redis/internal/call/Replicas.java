package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.connection.Connections;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes that are acknowledged when so many replicas have them.
 *
 * <p>{@code WAIT} is about the last write of its own connection (of old servers, about all that was written before its last command), so it follows the write on the same one: if the server was replaced in between, the connection is gone, too. A call that is
 * repeated may find nothing left to write, although what it wrote the first time is on no replica yet; so between the two a marker is written, behind which everything is that came before. The
 * connection can do nothing else meanwhile: hence these are connections beside those for reads, and each has one write on its way at a time.
 *
 * <p>In a cluster they go to the slot's master directly, for a command that Lettuce redirects leaves the others behind. Thread-safe.
 */
final class Replicas implements AutoCloseable {

    /** Writes that may be on their way at a time: enough to keep a server busy that waits for its replicas. */
    private static final int CONNECTIONS = 4;

    private static final byte[] MARKER = {':', 'w', 'a', 'i', 't'};

    private final int wanted;
    private final Duration timeout;
    private final List<Wire> wires;
    private final BlockingQueue<Wire> idle;

    Replicas(int wanted, Duration timeout, Connections connections) {
        this.wanted = wanted;
        this.timeout = timeout;
        wires = Wire.open(CONNECTIONS, connections);
        idle = new LinkedBlockingQueue<>(wires);
    }

    /**
     * Writes.
     *
     * @throws OutcomeUnknownException if it was written, but not on so many replicas in time, or that is not known
     */
    <T> T write(String operation, Call<T> call) {
        Wire wire = take(operation);
        try {
            Attempt<T> write = new Attempt<>(call);
            String master = "";
            Patience moving = new Patience(timeout);
            while (true) {
                Attempt<String> marker = new Attempt<>(marker(call));
                Attempt<Long> copies = new Attempt<>(copies());
                wire.sendToMaster(master, List.of(write, marker, copies));
                Throwable failure = write.failure(timeout);
                if (failure == null) {
                    requireCopies(operation, marker, copies);
                    return write.answer();
                }
                copies.failure(timeout);
                if (failure instanceof RedisNoScriptException) {
                    write.prepareWithText();
                } else if (wire.cluster() && Failures.isElsewhere(failure) && moving.lasts()) {
                    master = Failures.master(failure).orElse(master);
                    write.prepareAgain();
                } else {
                    throw RedisLink.dressed(operation, Effect.WRITE, failure);
                }
            }
        } finally {
            idle.add(wire);
        }
    }

    private Wire take(String operation) {
        try {
            Wire wire = idle.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (wire != null) {
                return wire;
            }
            throw new StoreUnavailableException(
                    operation, new TimeoutException("other writes waited for replicas for " + timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(operation, e);
        }
    }

    /** In the slot of the call's keys. */
    private static Call<String> marker(Call<?> call) {
        byte[] key = call.firstKey();
        int tagged = 0;
        while (key[tagged] != '}') {
            tagged++;
        }
        byte[] name = Arrays.copyOf(key, tagged + 1 + MARKER.length);
        System.arraycopy(MARKER, 0, name, tagged + 1, MARKER.length);
        return Call.of(CommandType.SET, () -> new StatusOutput<>(ByteArrayCodec.INSTANCE), name, new byte[] {'1'});
    }

    /** The server gives up before the client does, so that it is known why. */
    private Call<Long> copies() {
        long millis = Math.max(1, timeout.toMillis() / 4 * 3);
        return Call.general(
                CommandType.WAIT,
                () -> new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                Integer.toString(wanted),
                Long.toString(millis));
    }

    private void requireCopies(String operation, Attempt<String> marker, Attempt<Long> copies) {
        Throwable failure = marker.failure(timeout);
        failure = failure == null ? copies.failure(timeout) : failure;
        if (failure != null) {
            throw unknown(operation, "it was written, but on how many replicas is not known", failure);
        }
        if (copies.answer() < wanted) {
            String message = "it was written, but only %d of %d replicas had it in time";
            throw unknown(operation, message.formatted(copies.answer(), wanted), null);
        }
    }

    private static FeedKitException unknown(String operation, String message, @Nullable Throwable cause) {
        return new OutcomeUnknownException(operation, new IllegalStateException(message, cause));
    }

    @Override
    public void close() {
        wires.forEach(wire -> wire.connection().close());
    }
}
