package io.feedkit.internal.inbox.loss;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.IdlingThread;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the inbox store a question on a separate thread, because the store may be slow to answer while everything else
 * works. One question is under way at a time. The caller waits for the answer for at most {@value #LONGEST_WAIT_MILLIS}
 * milliseconds, and not at all if the last answer took longer. Thread-safe.
 */
final class LossQuestion implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLossRecovery.class);

    /**
     * The longest that a caller waits for an answer. After an answer that took longer, callers do not wait until an
     * answer is in time again.
     */
    static final long LONGEST_WAIT_MILLIS = 1000;

    private final String engine;
    private final IdlingThread thread;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile boolean prompt = true;

    LossQuestion(EngineSettings settings) {
        engine = settings.name();
        thread = new IdlingThread(settings, "losses", 1);
    }

    /** Asks, unless a question is under way. Returns when there is an answer, or earlier. */
    void ask(Runnable question) {
        if (!underWay.compareAndSet(false, true)) {
            return;
        }
        boolean waiting = prompt;
        CompletableFuture<Optional<Throwable>> failure = new CompletableFuture<>();
        try {
            Future<?> unused = thread.submit(() -> failure.complete(run(question)));
        } catch (RejectedExecutionException e) {
            // The engine is being closed. No further question is asked.
            return;
        } catch (Throwable e) {
            underWay.set(false);
            throw e;
        }
        if (waiting) {
            await(failure);
        }
    }

    /**
     * Runs the question, and returns its failure as a value. A future that fails reads the text of its failure, which
     * may throw if the failure is of a host's code.
     */
    private Optional<Throwable> run(Runnable question) {
        long begun = System.nanoTime();
        try {
            question.run();
            return Optional.empty();
        } catch (Throwable e) {
            return Optional.of(e);
        } finally {
            prompt = System.nanoTime() - begun < MILLISECONDS.toNanos(LONGEST_WAIT_MILLIS);
            underWay.set(false);
        }
    }

    private void await(CompletableFuture<Optional<Throwable>> asked) {
        Optional<Throwable> failure;
        try {
            failure = asked.get(LONGEST_WAIT_MILLIS, MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug(
                    "{}: the inbox store has not answered yet whether it lost deliveries; using its last answer",
                    engine,
                    e);
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (failure.isPresent()) {
            if (failure.get() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("cannot ask the inbox store whether it lost deliveries", failure.get());
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
