package io.feedkit.redis.internal.link;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server, as the stores see it: calls, alone or many in a row, whose failures are FeedKit's.
 *
 * <p>A call that was sent is never sent again: what became of it when its answer is missing is for the engine to settle. Only a server that does not know a script
 * has certainly done nothing, and gets its text. While there is no connection, calls fail at once.
 *
 * <p>Two connections: what waits for one answer is sent at once; many calls in a row go to another in batches, each written at once, so that they share system calls and
 * delay nobody's single call. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {

    /** Calls are written together until there are so many, or they are about so many keys: the server is to begin while the next are being written. */
    private static final int BATCH_CALLS = 50;

    private static final int BATCH_KEYS = 500;

    /** Batches that may be on their way at a time. */
    private static final int BATCHES = 6;

    private final RedisClient client;
    private final Duration timeout;
    private final StatefulRedisConnection<byte[], byte[]> single;
    private final StatefulRedisConnection<byte[], byte[]> batched;
    private volatile boolean closed;

    private RedisLink(RedisClient client, RedisURI uri, Duration timeout) {
        this.client = client;
        this.timeout = timeout;
        single = client.connect(ByteArrayCodec.INSTANCE, uri);
        batched = client.connect(ByteArrayCodec.INSTANCE, uri);
    }

    /**
     * Connects to a server.
     *
     * @param resources the host's threads, or those of Lettuce's own that end with the link
     * @throws StoreUnavailableException if it does not answer
     */
    public static RedisLink open(RedisURI address, Optional<ClientResources> resources, Duration timeout) {
        RedisURI uri = RedisURI.builder(address).withTimeout(timeout).build();
        RedisClient client = resources.map(RedisClient::create).orElseGet(RedisClient::create);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build())
                .build());
        try {
            return new RedisLink(client, uri, timeout);
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, timeout);
            throw new StoreUnavailableException("redis.connect", e);
        }
    }

    /** Asks, and waits for the answer. */
    public <T> T run(String operation, Effect effect, Call<T> call) {
        requireOpen(operation);
        AsyncCommand<byte[], byte[], T> sent = call.command();
        single.dispatch(sent);
        return settled(operation, effect, call, sent);
    }

    /** Asks in this order, and waits for all answers. If one call fails, the others may have been executed or not. */
    public <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls) {
        if (calls.size() == 1) {
            return List.of(run(operation, effect, calls.get(0)));
        }
        requireOpen(operation);
        List<T> answers = new ArrayList<>(calls.size());
        Deque<Batch<T>> onTheWay = new ArrayDeque<>();
        for (int from = 0; from < calls.size(); ) {
            Batch<T> batch = Batch.of(calls, from);
            batched.dispatch(batch.sent());
            onTheWay.add(batch);
            from += batch.calls().size();
            if (onTheWay.size() == BATCHES || from == calls.size()) {
                do {
                    settle(operation, effect, onTheWay.remove(), answers);
                } while (from == calls.size() && !onTheWay.isEmpty());
            }
        }
        return answers;
    }

    private record Batch<T>(List<Call<T>> calls, List<AsyncCommand<byte[], byte[], T>> sent) {

        /** As many calls as make a batch. */
        static <T> Batch<T> of(List<Call<T>> all, int from) {
            int to = from;
            int keys = 0;
            while (to < all.size() && to - from < BATCH_CALLS && keys < BATCH_KEYS) {
                keys += all.get(to++).keys();
            }
            List<Call<T>> calls = all.subList(from, to);
            return new Batch<>(calls, calls.stream().map(Call::command).toList());
        }
    }

    private <T> void settle(String operation, Effect effect, Batch<T> batch, List<T> answers) {
        for (int i = 0; i < batch.calls().size(); i++) {
            answers.add(settled(
                    operation, effect, batch.calls().get(i), batch.sent().get(i)));
        }
    }

    private <T> T settled(String operation, Effect effect, Call<T> call, AsyncCommand<byte[], byte[], T> sent) {
        Throwable failure = failureOf(sent);
        AsyncCommand<byte[], byte[], T> answer = sent;
        if (failure instanceof RedisNoScriptException) {
            AsyncCommand<byte[], byte[], T> again = call.commandWithText();
            single.dispatch(again);
            answer = again;
            failure = failureOf(answer);
        }
        if (failure != null) {
            throw dressed(operation, effect, failure);
        }
        return answer.join();
    }

    private void requireOpen(String operation) {
        if (closed) {
            throw new StoreUnavailableException(operation, new IllegalStateException("these inboxes are closed"));
        }
    }

    private FeedKitException dressed(String operation, Effect effect, Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return Failures.dressed(operation, effect, failure);
    }

    /** Waits for an answer: Lettuce gives up by itself, and a moment later this does. */
    private @Nullable Throwable failureOf(AsyncCommand<?, ?, ?> answer) {
        try {
            answer.get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException | CancellationException e) {
            return e;
        }
    }

    @Override
    public void close() {
        closed = true;
        client.shutdown(Duration.ZERO, timeout);
    }
}
