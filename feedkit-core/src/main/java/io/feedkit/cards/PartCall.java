package io.feedkit.cards;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.feedkit.event.CardPartFailed.Kind;
import io.feedkit.internal.host.Interrupts;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call of a part. The reading thread starts it and awaits it; another thread runs it. A call that is late is
 * interrupted and abandoned: nothing waits for its end, and its answer is dropped.
 */
final class PartCall<K, V> {

    private enum State {
        WAITING,
        RUNNING,
        LATE,
        ENDED
    }

    private final CardPart<K, V> part;
    private final PartValues<K, V> values;
    private final Set<K> keys;
    private final FutureTask<Answer<K, V>> task;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private boolean isRefused;
    private long start;

    PartCall(CardPart<K, V> part, PartValues<K, V> values, String reader, Set<K> keys) {
        this.part = part;
        this.values = values;
        this.keys = keys;
        this.task = new FutureTask<>(() -> load(reader));
    }

    /** What a call has returned or thrown. An {@link ExecutionException} would read the text of what was thrown. */
    private record Answer<K, V>(Map<K, V> values, @Nullable Throwable failure) {}

    private Answer<K, V> load(String reader) {
        try {
            return new Answer<>(part.load(reader, keys), null);
        } catch (Throwable e) {
            Interrupts.keep(e);
            return new Answer<>(Map.of(), e);
        }
    }

    Duration limit() {
        return part.limit();
    }

    /**
     * Hands the call to the executor.
     *
     * @param start when the wave began, as {@link System#nanoTime}
     */
    void start(Executor executor, long start) {
        this.start = start;
        if (part.hasTooManyLateCalls()) {
            refuse(new RejectedExecutionException(
                    CardPart.MOST_LATE_CALLS + " late calls are still running; the part is called when one has ended"));
            return;
        }
        try {
            executor.execute(this::run);
        } catch (Throwable e) {
            Interrupts.keep(e);
            if (state.compareAndSet(State.WAITING, State.ENDED)) {
                refuse(e);
            }
        }
    }

    private void refuse(Throwable reason) {
        isRefused = true;
        fail(Kind.REFUSED, reason);
    }

    private void run() {
        if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
            return;
        }
        task.run();
        if (!state.compareAndSet(State.RUNNING, State.ENDED)) {
            part.lateCallEnded();
            // The interrupt was for this call, not for the next one on this thread.
            boolean unused = Thread.interrupted();
        }
    }

    /** Waits for the answer until the limit has passed, and hands answer or failure to the part's values. */
    void await() {
        if (isRefused) {
            return;
        }
        try {
            long left = start + limit().toNanos() - System.nanoTime();
            Answer<K, V> answer = task.get(left, NANOSECONDS);
            if (answer.failure() == null) {
                values.answered(keys, answer.values());
            } else {
                fail(Kind.FAILED, answer.failure());
            }
        } catch (ExecutionException e) {
            fail(Kind.FAILED, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            boolean began = abandon();
            fail(Kind.LATE, new TimeoutException((began ? "no answer" : "no thread") + " within " + limit()));
        } catch (InterruptedException e) {
            abandon();
            Thread.currentThread().interrupt();
            fail(Kind.INTERRUPTED, e);
        }
    }

    /** Interrupts the call, or keeps it from beginning. Returns whether it had begun. */
    private boolean abandon() {
        boolean began = !state.compareAndSet(State.WAITING, State.ENDED);
        if (state.compareAndSet(State.RUNNING, State.LATE)) {
            part.lateCallBegan();
        }
        boolean unused = task.cancel(true);
        return began;
    }

    private void fail(Kind kind, Throwable failure) {
        values.failed(kind, keys.size(), Duration.ofNanos(System.nanoTime() - start), failure);
    }
}
