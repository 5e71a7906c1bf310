package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.lettuce.core.RedisNoScriptException;
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
 * Acknowledges a write once a number of replicas has it.
 *
 * <p>{@code WAIT} covers the last write of its own connection (in old servers, all writes before its last command). So
 * it follows the write on the same connection. If the server was replaced in between, the connection is lost as well. A
 * repeated call may write nothing, although no replica has the data of the first call yet. So a marker is written
 * between the two: a replica receives the marker only after all earlier writes. The connection is blocked meanwhile.
 * Hence these connections are separate from those for reads, and each has one write under way at a time.
 *
 * <p>In a cluster the calls go to the slot's master directly, because a command that Lettuce redirects would be
 * separated from the others. Thread-safe.
 */
final class ReplicaAcknowledgement implements AutoCloseable {

    /** The most writes under way at a time: enough to keep a server busy while it waits for its replicas. */
    private static final int CONNECTIONS = 4;

    private static final byte[] MARKER = {':', 'w', 'a', 'i', 't'};

    private final int required;
    private final Duration timeout;
    private final List<BatchWriter> writers;
    private final BlockingQueue<BatchWriter> idle;

    ReplicaAcknowledgement(int required, Duration timeout, ConnectionFactory connections) {
        this.required = required;
        this.timeout = timeout;
        writers = BatchWriter.open(CONNECTIONS, connections);
        idle = new LinkedBlockingQueue<>(writers);
    }

    /**
     * Sends a write, and waits for the replicas.
     *
     * @throws OutcomeUnknownException if it was written, but too few replicas had it in time, or their number is not
     *     known
     */
    <T> T write(String operation, Call<T> call) {
        BatchWriter writer = take(operation);
        try {
            PendingCall<T> write = new PendingCall<>(call);
            String master = "";
            RetryDeadline moving = new RetryDeadline(timeout);
            while (true) {
                PendingCall<String> marker = new PendingCall<>(marker(call));
                PendingCall<Long> copies = new PendingCall<>(copies());
                writer.sendToMaster(master, List.of(write, marker, copies));
                Throwable failure = write.failure(timeout);
                if (failure == null) {
                    requireCopies(operation, marker, copies);
                    return write.answer();
                }
                copies.failure(timeout);
                if (failure instanceof RedisNoScriptException) {
                    write.prepareWithText();
                } else if (writer.cluster() && CallFailures.isElsewhere(failure) && moving.allowsRetry()) {
                    master = CallFailures.master(failure).orElse(master);
                    write.prepareAgain();
                } else {
                    throw CallFailures.toException(operation, Effect.WRITE, failure);
                }
            }
        } finally {
            idle.add(writer);
        }
    }

    private BatchWriter take(String operation) {
        try {
            BatchWriter writer = idle.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (writer != null) {
                return writer;
            }
            throw new StoreUnavailableException(
                    operation,
                    new TimeoutException(
                            "no connection was free within " + timeout + ", because other writes waited for replicas"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(operation, e);
        }
    }

    /** Writes the marker, in the slot of the call's keys. */
    private static Call<String> marker(Call<?> call) {
        byte[] key = call.firstKey();
        int tagged = 0;
        while (key[tagged] != '}') {
            tagged++;
        }
        byte[] name = Arrays.copyOf(key, tagged + 1 + MARKER.length);
        System.arraycopy(MARKER, 0, name, tagged + 1, MARKER.length);
        return Call.of(CommandType.SET, StatusOutput::new, name, new byte[] {'1'});
    }

    /**
     * Waits for the replicas. The server gives up before the client does, so that the client gets the number of
     * replicas.
     */
    private Call<Long> copies() {
        long millis = Math.max(1, timeout.toMillis() / 4 * 3);
        return Call.general(CommandType.WAIT, IntegerOutput::new, Integer.toString(required), Long.toString(millis));
    }

    private void requireCopies(String operation, PendingCall<String> marker, PendingCall<Long> copies) {
        Throwable failure = marker.failure(timeout);
        failure = failure == null ? copies.failure(timeout) : failure;
        if (failure != null) {
            throw unknown(operation, "it was written, but the number of replicas that have it is not known", failure);
        }
        if (copies.answer() < required) {
            String message = "it was written, but only %d of %d replicas had it in time";
            throw unknown(operation, message.formatted(copies.answer(), required), null);
        }
    }

    private static FeedKitException unknown(String operation, String message, @Nullable Throwable cause) {
        return new OutcomeUnknownException(operation, new IllegalStateException(message, cause));
    }

    @Override
    public void close() {
        writers.forEach(writer -> writer.connection().close());
    }
}
