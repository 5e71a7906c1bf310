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
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
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
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sends calls to one server, to the master that sentinels watch, or to a cluster.
 *
 * <p>A call that may have been executed is never sent again. If its answer is missing, the engine decides whether to
 * repeat it. Three kinds of calls were certainly not executed, and are sent again: a script that the server does not
 * know (with its text), a call that a member of a cluster redirects, and a call whose keys are split between two
 * members because their slot is moving. While there is no connection, calls fail at once.
 *
 * <p>There are three connections. Single calls are sent at once, and are spread over two connections, by thread. Many
 * calls in a row use the third connection, in batches that are each written at once. So they share system calls, and do
 * not delay single calls. Thread-safe.
 */
public final class RedisLink implements Link {

    /**
     * Connections for single calls. Calls that arrive together on one connection are answered together. With one
     * connection, the server would wait while the callers work, and the callers while the server works. More than two
     * would cost more system calls than they save.
     */
    private static final int SINGLE_CALL_WRITERS = 2;

    private static final int MOST_ATTEMPTS = 3;

    /** A batch ends at this many calls. */
    private static final int BATCH_CALLS = 50;

    /**
     * How much is under way at a time. A batch ends at a number of keys, so that the server begins while the next batch
     * is written.
     */
    private record Window(int keys, int batches) {

        static final Window USUAL = new Window(500, 6);

        /** Of deliveries to one server: the pages of others wait behind all that is under way. */
        static final Window NARROW = new Window(200, 2);
    }

    /** How many keys a server looks at in one call of {@link #scan}. */
    private static final String SCANNED = "1000";

    /** The cursor that a scan begins and ends with. */
    private static final String SCAN_ENDS = "0";

    /**
     * Longer than it takes to connect to a node that a call was redirected to, and short enough for a waiting caller
     * when that node is down.
     */
    private static final Duration CONNECTING = Duration.ofMillis(200);

    private final ConnectionFactory connections;
    private final Duration timeout;
    private final List<BatchWriter> singleCallWriters;
    private final BatchWriter batchWriter;
    private final Optional<ReplicaAcknowledgement> replicas;
    private final AtomicBoolean closed;
    private final SilentServers silent;

    private RedisLink(
            ConnectionFactory connections,
            List<BatchWriter> singleCallWriters,
            BatchWriter batchWriter,
            Duration timeout,
            Optional<ReplicaAcknowledgement> replicas,
            SilentServers silent,
            AtomicBoolean closed) {
        this.silent = silent;
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
     * @param resources the host's threads; if empty, Lettuce's own, which end with the link
     * @param timeout how long to wait for an answer. Connecting may take as long as the client's own time-out, which is
     *     the same unless the client is the host's. If a connection is closed while it is set up, it is tried up to
     *     three times
     * @throws StoreUnavailableException if there is no answer
     * @throws UnusableServerException if FeedKit cannot use the server
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
                    new SilentServers(
                            writers.stream().map(BatchWriter::connection).toList(), connections.cluster()),
                    new AtomicBoolean());
        } catch (Throwable e) {
            connections.end().run(true);
            if (e instanceof RedisException refused) {
                throw ConnectFailures.of(refused);
            }
            throw e;
        }
    }

    /**
     * Opens the connections. If one is closed for no known reason while it is set up, tries again, because the next
     * attempt may show the reason.
     */
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
     * Returns a link to the same servers that acknowledges a write once this many replicas have it. A write that takes
     * too long fails with an unknown outcome. These writes have connections of their own, with one call under way on
     * each. Closing the returned link also closes this one.
     *
     * @param copies how many replicas; with 0 this link is returned
     * @throws StoreUnavailableException if there is no answer
     */
    public RedisLink replicated(int copies) {
        if (copies == 0) {
            return this;
        }
        try {
            ReplicaAcknowledgement writers = new ReplicaAcknowledgement(copies, timeout, connections);
            return new RedisLink(
                    connections, singleCallWriters, batchWriter, timeout, Optional.of(writers), silent, closed);
        } catch (RedisException e) {
            throw ConnectFailures.of(e);
        }
    }

    /** How long a call waits for an answer. */
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
        PendingCall<T> pending = new PendingCall<>(call);
        singleCallWriter().send(List.of(pending), silent);
        return await(operation, effect, pending, List.of());
    }

    @Override
    public <T> Supplier<List<T>> ask(String operation, List<Call<T>> calls) {
        requireOpen(operation);
        List<PendingCall<T>> sent = calls.stream().map(PendingCall::new).toList();
        if (!sent.isEmpty()) {
            BatchWriter writer = sent.size() == 1 ? singleCallWriter() : batchWriter;
            writer.send(sent, silent);
        }
        return () -> sent.stream()
                .map(pending -> await(operation, Effect.READ, pending, List.of()))
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
        return inBatches(operation, Window.USUAL, calls, (pending, sent) -> await(operation, effect, pending, sent));
    }

    @Override
    public <T> List<Optional<T>> runReachable(String operation, Effect effect, List<Call<T>> calls) {
        if (calls.size() == 1) {
            return List.of(Optional.of(run(operation, effect, calls.get(0))));
        }
        List<FeedKitException> failures = new ArrayList<>();
        List<Optional<T>> answers = effect == Effect.WRITE && replicas.isPresent()
                ? calls.stream()
                        .map(call -> attempt(() -> run(operation, effect, call), failures))
                        .toList()
                : inBatches(
                        operation,
                        effect == Effect.WRITE && !isCluster() ? Window.NARROW : Window.USUAL,
                        calls,
                        (pending, sent) -> attempt(() -> await(operation, effect, pending, sent), failures));
        if (!calls.isEmpty() && failures.size() == calls.size()) {
            throw failures.stream()
                    .filter(OutcomeUnknownException.class::isInstance)
                    .findFirst()
                    .orElse(failures.get(0));
        }
        return answers;
    }

    private static <T> Optional<T> attempt(Supplier<T> answer, List<FeedKitException> failures) {
        try {
            return Optional.of(answer.get());
        } catch (FeedKitException e) {
            failures.add(e);
            return Optional.empty();
        }
    }

    private <T, A> List<A> inBatches(
            String operation,
            Window window,
            List<Call<T>> calls,
            BiFunction<PendingCall<T>, List<PendingCall<T>>, A> answer) {
        requireOpen(operation);
        List<PendingCall<T>> sent = new ArrayList<>(calls.size());
        List<A> answers = new ArrayList<>(calls.size());
        Deque<Integer> underWay = new ArrayDeque<>();
        while (answers.size() < calls.size()) {
            List<PendingCall<T>> batch = batch(calls, sent, answers.size(), window.keys());
            if (!batch.isEmpty()) {
                batchWriter.send(batch, silent);
                sent.addAll(batch);
                underWay.add(sent.size());
            }
            int due = batch.isEmpty() || underWay.size() == window.batches() ? underWay.remove() : 0;
            while (answers.size() < due) {
                answers.add(answer.apply(sent.get(answers.size()), sent));
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

    /** The next batch: calls that may be under way together with those that are not answered yet. */
    private <T> List<PendingCall<T>> batch(List<Call<T>> calls, List<PendingCall<T>> sent, int answered, int mostKeys) {
        Set<Integer> slots = new HashSet<>();
        if (isCluster()) {
            sent.subList(answered, sent.size()).forEach(pending -> slots.add(pending.slot()));
        }
        List<PendingCall<T>> batch = new ArrayList<>();
        int keys = 0;
        for (int i = sent.size(); i < calls.size() && batch.size() < BATCH_CALLS && keys < mostKeys; i++) {
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
                answers.put(address, ask(operation, address, connection, call));
            });
        } catch (RedisException e) {
            throw new StoreUnavailableException(operation, e);
        }
        return answers;
    }

    private <T> T ask(String operation, String address, StatefulConnection<byte[], byte[]> connection, Call<T> call) {
        silent.reason(address).ifPresent(reason -> {
            throw CallFailures.toException(operation, Effect.READ, reason);
        });
        PendingCall<T> pending = new PendingCall<>(call);
        Optional<Throwable> unused = new BatchWriter(connection, false).write(List.of(pending));
        Throwable failure = pending.failure(timeout);
        if (failure != null) {
            silent.failed(address, failure);
        }
        return await(operation, Effect.READ, pending, List.of());
    }

    @Override
    public void scan(String operation, String pattern, Predicate<List<byte[]>> some) {
        requireOpen(operation);
        try {
            for (Map.Entry<String, StatefulConnection<byte[], byte[]>> master :
                    MasterConnections.all(singleCallWriter().connection()).entrySet()) {
                if (!scan(operation, pattern, master, some)) {
                    return;
                }
            }
        } catch (RedisException e) {
            throw new StoreUnavailableException(operation, e);
        }
    }

    /** Returns false if the walk was ended. */
    private boolean scan(
            String operation,
            String pattern,
            Map.Entry<String, StatefulConnection<byte[], byte[]>> master,
            Predicate<List<byte[]>> some) {
        String cursor = SCAN_ENDS;
        boolean goesOn;
        do {
            List<Object> answer = ask(
                    operation,
                    master.getKey(),
                    master.getValue(),
                    Call.general(CommandType.SCAN, ArrayOutput::new, cursor, "MATCH", pattern, "COUNT", SCANNED));
            cursor = new String((byte[]) answer.get(0), StandardCharsets.US_ASCII);
            goesOn = some.test(
                    ((List<?>) answer.get(1)).stream().map(byte[].class::cast).toList());
        } while (goesOn && !cursor.equals(SCAN_ENDS));
        return goesOn;
    }

    private <T> T await(String operation, Effect effect, PendingCall<T> pending, List<PendingCall<T>> batch) {
        Throwable failure = pending.failure(timeout);
        RetryDeadline moving = new RetryDeadline(timeout);
        RetryDeadline connecting = new RetryDeadline(CONNECTING);
        while (failure != null) {
            silent.failed(pending.slot(), failure);
            if (failure instanceof RedisNoScriptException) {
                sendTexts(batch.isEmpty() ? List.of(pending) : batch);
            } else if (isCluster()
                    && ((CallFailures.isElsewhere(failure) && moving.allowsRetry())
                            || (CallFailures.isNotConnected(failure) && connecting.allowsRetry()))) {
                pending.prepareAgain();
                singleCallWriter().send(List.of(pending), silent);
            } else {
                throw toException(operation, effect, failure, batch);
            }
            failure = pending.failure(timeout);
        }
        return pending.answer();
    }

    /**
     * Sends the calls whose script the server did not know again, in their order and with the script's text. No other
     * call of the batch is under way meanwhile: once the server knows the script, later calls would overtake these.
     */
    private <T> void sendTexts(List<PendingCall<T>> batch) {
        List<PendingCall<T>> unknown = batch.stream()
                .filter(pending -> pending.failure(timeout) instanceof RedisNoScriptException)
                .toList();
        unknown.forEach(PendingCall::prepareWithText);
        singleCallWriter().send(unknown, silent);
        unknown.forEach(pending -> pending.failure(timeout));
    }

    /** A thread always uses the same connection. */
    private BatchWriter singleCallWriter() {
        return singleCallWriters.get((int) Math.floorMod(Thread.currentThread().getId(), (long) SINGLE_CALL_WRITERS));
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    private void requireOpen(String operation) {
        if (isClosed()) {
            throw new StoreUnavailableException(operation, new IllegalStateException("this store is closed"));
        }
    }

    /**
     * A batch has an unknown outcome if any other part of it may have been executed. Waits for the answers of the
     * others only if they can make a difference.
     */
    private <T> FeedKitException toException(
            String operation, Effect effect, Throwable failure, List<PendingCall<T>> batch) {
        return effect == Effect.WRITE
                        && CallFailures.isHarmless(failure)
                        && batch.stream().anyMatch(pending -> pending.mayHaveHappened(timeout))
                ? new OutcomeUnknownException(operation, failure)
                : CallFailures.toException(operation, effect, failure);
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
