package io.feedkit.redis.internal.link;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
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
 * A Redis server, as the stores see it: scripts, run alone or many in a row, whose failures are FeedKit's.
 *
 * <p>A call that was sent is never sent again: what became of it when its answer is missing is for the engine to settle. Only a server that does not know a script
 * has certainly done nothing, and gets its text. While there is no connection, calls fail at once.
 *
 * <p>Two connections: what waits for one answer is sent at once; many calls in a row go to another, which is flushed after each batch, so that they share system calls and
 * delay nobody's single call. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {

    /** Calls between two flushes; two such batches are on their way at a time. */
    private static final int BATCH = 50;

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
        batched.setAutoFlushCommands(false);
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

    /** Runs a script. */
    public Object run(String operation, Effect effect, Call call) {
        requireOpen(operation);
        return settled(operation, effect, new Sent(call, send(single, call)));
    }

    /** Runs scripts in their order. If one fails, the others may have been executed or not. */
    public List<Object> runAll(String operation, Effect effect, List<Call> calls) {
        if (calls.size() == 1) {
            return List.of(run(operation, effect, calls.get(0)));
        }
        requireOpen(operation);
        List<Object> answers = new ArrayList<>(calls.size());
        Deque<Sent> onTheWay = new ArrayDeque<>();
        for (int from = 0; from < calls.size(); from += BATCH) {
            int to = Math.min(from + BATCH, calls.size());
            for (Call call : calls.subList(from, to)) {
                onTheWay.add(new Sent(call, send(batched, call)));
            }
            batched.flushCommands();
            while (onTheWay.size() > BATCH) {
                answers.add(settled(operation, effect, onTheWay.remove()));
            }
        }
        while (!onTheWay.isEmpty()) {
            answers.add(settled(operation, effect, onTheWay.remove()));
        }
        return answers;
    }

    private record Sent(Call call, RedisFuture<Object> answer) {}

    private static RedisFuture<Object> send(StatefulRedisConnection<byte[], byte[]> connection, Call call) {
        Script script = call.script();
        return connection.async().evalsha(script.digest(), script.answer(), call.keyArray(), call.argumentArray());
    }

    private RedisFuture<Object> sendText(Call call) {
        Script script = call.script();
        return single.async().eval(script.body(), script.answer(), call.keyArray(), call.argumentArray());
    }

    private Object settled(String operation, Effect effect, Sent sent) {
        RedisFuture<Object> answer = sent.answer();
        Throwable failure = failureOf(answer);
        if (failure instanceof RedisNoScriptException) {
            answer = sendText(sent.call());
            failure = failureOf(answer);
        }
        if (failure != null) {
            throw dressed(operation, effect, failure);
        }
        return answer.toCompletableFuture().join();
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
    private @Nullable Throwable failureOf(RedisFuture<Object> answer) {
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
