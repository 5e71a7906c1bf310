package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.internal.connection.ConnectFailures;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.redis.internal.connection.MasterConnections;
import io.feedkit.redis.internal.connection.Servers;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Redis as the stores see it, be it one server, the master that sentinels know, or a cluster: calls, alone or many in a row, whose failures are FeedKit's.
 *
 * <p>A call that may have been executed is never sent again: what became of it when its answer is missing is for the engine to settle. A server that does not know a
 * script has certainly done nothing, and gets its text. A member of a cluster that leads a call elsewhere, or has only some of its keys because their slot is just moving, has done
 * nothing either. While there is no connection, calls fail at once.
 *
 * <p>Three connections: what waits for one answer is sent at once, by half of the threads to one and by the others to another; many calls in a row go to the third in batches, each written at
 * once, so that they share system calls and delay nobody's single call. Thread-safe.
 */
public final class RedisLink implements Link {

    /**
     * Connections for single calls. What came together on one is answered together, so with one alone the server would wait while the callers work, and they while it works. More of them cost more system calls
     * than they save.
     */
    private static final int SINGLE_CALL_WRITERS = 2;

    private static final int MOST_ATTEMPTS = 3;

    /** Calls are written together until there are so many, or they are about so many keys: the server is to begin while the next are being written. */
    private static final int BATCH_CALLS = 50;

    private static final int BATCH_KEYS = 500;

    /** Batches that may be on their way at a time. */
    private static final int BATCHES = 6;

    /** Longer than it takes to connect to a node that a call was led to, and short enough for callers who wait when it is down. */
    private static final Duration CONNECTING = Duration.ofMillis(200);

    private final ConnectionFactory connections;
    private final Duration timeout;
    private final List<BatchWriter> singleCallWriters;
    private final BatchWriter batchWriter;
    private final Optional<ReplicaAcknowledgement> replicas;
    private final AtomicBoolean closed;

    private RedisLink(
            ConnectionFactory connections,
            List<BatchWriter> singleCallWriters,
            BatchWriter batchWriter,
            Duration timeout,
            Optional<ReplicaAcknowledgement> replicas,
            AtomicBoolean closed) {
        this.closed = closed;
        this.connections = connections;
        this.singleCallWriters = singleCallWriters;
        this.batchWriter = batchWriter;
        this.timeout = timeout;
        this.replicas = replicas;
    }

    /**
     * Connects.
     *
     * @param resources the host's threads, or those of Lettuce's own that end with the link
     * @param timeout the longest that an answer is waited for; connecting takes as long as the client says, which is the same unless it is the host's, and is tried three times
     *     where a connection is closed while it is set up
     * @throws StoreUnavailableException if there is no answer
     * @throws UnusableServerException if the answer is not that of a server which can be used
     */
    public static RedisLink open(Servers servers, Optional<ClientResources> resources, Duration timeout) {
        return open(servers.open(resources, timeout), timeout);
    }

    static RedisLink open(ConnectionFactory connections, Duration timeout) {
        try {
            List<BatchWriter> writers = writers(connections);
            return new RedisLink(
                    connections,
                    writers.subList(0, SINGLE_CALL_WRITERS),
                    writers.get(SINGLE_CALL_WRITERS),
                    timeout,
                    Optional.empty(),
                    new AtomicBoolean());
        } catch (Throwable e) {
            connections.end().run(true);
            if (e instanceof RedisException refused) {
                throw ConnectFailures.of(refused);
            }
            throw e;
        }
    }

    /** Connections that are closed while they are set up, nobody knows why, are set up again: the next time the reason may be told. */
    private static List<BatchWriter> writers(ConnectionFactory connections) {
        for (int attempt = 1; ; attempt++) {
            try {
                return BatchWriter.open(SINGLE_CALL_WRITERS + 1, connections);
            } catch (RedisException e) {
                if (attempt == MOST_ATTEMPTS || !ConnectFailures.onlyClosed(e)) {
                    throw e;
                }
            }
        }
    }

    /**
     * The same servers, with writes that are acknowledged when so many replicas have them, and fail with an unknown outcome if that takes too long. They have connections of their own, one
     * call on its way on each; closing the link that is returned closes this one, too.
     *
     * @param copies how many replicas; with none it is the same link
     * @throws StoreUnavailableException if there is no answer
     */
    public RedisLink replicated(int copies) {
        if (copies == 0) {
            return this;
        }
        try {
            ReplicaAcknowledgement writers = new ReplicaAcknowledgement(copies, timeout, connections);
            return new RedisLink(connections, singleCallWriters, batchWriter, timeout, Optional.of(writers), closed);
        } catch (RedisException e) {
            throw ConnectFailures.of(e);
        }
    }

    /** The longest that an answer is waited for. */
    public Duration timeout() {
        return timeout;
    }

    @Override
    public boolean isCluster() {
        return connections.cluster();
    }

    @Override
    public boolean isDeferred() {
        return false;
    }

    @Override
    public <T> T run(String operation, Effect effect, Call<T> call) {
        requireOpen(operation);
        if (effect == Effect.WRITE && replicas.isPresent()) {
            return replicas.get().write(operation, call);
        }
        PendingCall<T> attempt = new PendingCall<>(call);
        singleCallWriter().send(List.of(attempt));
        return settled(operation, effect, attempt, List.of());
    }

    /** Asks a few things that change nothing, all at once and in no order; the answers are waited for, by the same thread, when they are wanted. */
    public <T> Supplier<List<T>> ask(String operation, List<Call<T>> calls) {
        requireOpen(operation);
        List<PendingCall<T>> sent = calls.stream().map(PendingCall::new).toList();
        if (!sent.isEmpty()) {
            BatchWriter writer = sent.size() == 1 ? singleCallWriter() : batchWriter;
            writer.send(sent);
        }
        return () -> sent.stream()
                .map(attempt -> settled(operation, Effect.READ, attempt, List.of()))
                .toList();
    }

    @Override
    public <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls) {
        if (calls.size() == 1) {
            return List.of(run(operation, effect, calls.get(0)));
        }
        if (effect == Effect.WRITE && replicas.isPresent()) {
            return oneByOne(operation, calls);
        }
        requireOpen(operation);
        List<PendingCall<T>> sent = new ArrayList<>(calls.size());
        List<T> answers = new ArrayList<>(calls.size());
        Deque<Integer> onTheWay = new ArrayDeque<>();
        while (answers.size() < calls.size()) {
            List<PendingCall<T>> batch = batch(calls, sent, answers.size());
            if (!batch.isEmpty()) {
                batchWriter.send(batch);
                sent.addAll(batch);
                onTheWay.add(sent.size());
            }
            int settled = batch.isEmpty() || onTheWay.size() == BATCHES ? onTheWay.remove() : 0;
            while (answers.size() < settled) {
                answers.add(settled(operation, effect, sent.get(answers.size()), sent));
            }
        }
        return answers;
    }

    private <T> List<T> oneByOne(String operation, List<Call<T>> calls) {
        List<T> answers = new ArrayList<>(calls.size());
        for (Call<T> call : calls) {
            try {
                answers.add(run(operation, Effect.WRITE, call));
            } catch (StoreUnavailableException e) {
                throw answers.isEmpty() ? e : new OutcomeUnknownException(operation, e);
            }
        }
        return answers;
    }

    /** As many of the next calls as make a batch, or may be on their way beside those that are not settled. */
    private <T> List<PendingCall<T>> batch(List<Call<T>> calls, List<PendingCall<T>> sent, int settled) {
        Set<Integer> slots = new HashSet<>();
        if (isCluster()) {
            sent.subList(settled, sent.size()).forEach(attempt -> slots.add(attempt.slot()));
        }
        List<PendingCall<T>> batch = new ArrayList<>();
        int keys = 0;
        for (int i = sent.size(); i < calls.size() && batch.size() < BATCH_CALLS && keys < BATCH_KEYS; i++) {
            Call<T> call = calls.get(i);
            if (isCluster() && !slots.add(call.slot())) {
                break;
            }
            batch.add(new PendingCall<>(call));
            keys += call.keys();
        }
        return batch;
    }

    @Override
    public <T> Map<String, T> runOnEach(String operation, Call<T> call) {
        requireOpen(operation);
        Map<String, T> answers = new LinkedHashMap<>();
        try {
            Map<String, StatefulConnection<byte[], byte[]>> masters =
                    MasterConnections.all(singleCallWriter().connection());
            masters.forEach((address, connection) -> {
                PendingCall<T> attempt = new PendingCall<>(call);
                new BatchWriter(connection, false).send(List.of(attempt));
                answers.put(address, settled(operation, Effect.READ, attempt, List.of()));
            });
        } catch (RedisException e) {
            throw new StoreUnavailableException(operation, e);
        }
        return answers;
    }

    private <T> T settled(String operation, Effect effect, PendingCall<T> attempt, List<PendingCall<T>> batch) {
        Throwable failure = attempt.failure(timeout);
        RetryDeadline moving = new RetryDeadline(timeout);
        RetryDeadline connecting = new RetryDeadline(CONNECTING);
        while (failure != null) {
            if (failure instanceof RedisNoScriptException) {
                sendTexts(batch.isEmpty() ? List.of(attempt) : batch);
            } else if (isCluster()
                    && ((CallFailures.isElsewhere(failure) && moving.allowsRetry())
                            || (CallFailures.isNotConnected(failure) && connecting.allowsRetry()))) {
                attempt.prepareAgain();
                singleCallWriter().send(List.of(attempt));
            } else {
                throw dressed(operation, effect, failure, batch);
            }
            failure = attempt.failure(timeout);
        }
        return attempt.answer();
    }

    /**
     * Sends with their texts, in their order, all calls whose script the server did not know. Nothing else is on its way before or while that is done: now that the server learns the
     * script, later calls would overtake them.
     */
    private <T> void sendTexts(List<PendingCall<T>> batch) {
        List<PendingCall<T>> unknown = batch.stream()
                .filter(attempt -> attempt.failure(timeout) instanceof RedisNoScriptException)
                .toList();
        unknown.forEach(PendingCall::prepareWithText);
        singleCallWriter().send(unknown);
        unknown.forEach(attempt -> attempt.failure(timeout));
    }

    /** Always the same for a thread. */
    private BatchWriter singleCallWriter() {
        return singleCallWriters.get((int) Math.floorMod(Thread.currentThread().getId(), (long) SINGLE_CALL_WRITERS));
    }

    private void requireOpen(String operation) {
        if (closed.get()) {
            throw new StoreUnavailableException(operation, new IllegalStateException("this store is closed"));
        }
    }

    /** A batch of which any other part may have been executed has an unknown outcome: where that can make the difference, the answers of the others are waited for. */
    private <T> FeedKitException dressed(
            String operation, Effect effect, Throwable failure, List<PendingCall<T>> batch) {
        return effect == Effect.WRITE
                        && CallFailures.isHarmless(failure)
                        && batch.stream().anyMatch(attempt -> attempt.mayHaveHappened(timeout))
                ? new OutcomeUnknownException(operation, failure)
                : dressed(operation, effect, failure);
    }

    static FeedKitException dressed(String operation, Effect effect, Throwable failure) {
        return CallFailures.dressed(operation, effect, failure);
    }

    /** Lettuce warns of connections that are closed twice. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean connecting = Stream.concat(singleCallWriters.stream(), Stream.of(batchWriter))
                .anyMatch(writer -> !writer.connection().isOpen());
        replicas.ifPresent(ReplicaAcknowledgement::close);
        singleCallWriters.forEach(writer -> writer.connection().close());
        batchWriter.connection().close();
        connections.end().run(connecting);
    }
}
