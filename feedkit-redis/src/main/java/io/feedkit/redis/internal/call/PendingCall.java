package io.feedkit.redis.internal.call;

import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way, which may have to be sent more than once. Not thread-safe.
 *
 * @param <T> what it answers
 */
final class PendingCall<T> {

    /** Lettuce gives up by itself, and says more. */
    private static final long SLACK_MILLIS = 100;

    private final Call<T> call;
    private AsyncCommand<byte[], byte[], T> command;
    private boolean withText;

    PendingCall(Call<T> call) {
        this.call = call;
        command = call.command();
    }

    AsyncCommand<byte[], byte[], T> command() {
        return command;
    }

    int slot() {
        return call.slot();
    }

    void prepareAgain() {
        command = withText ? call.commandWithText() : call.command();
    }

    /** For a server that does not know the script. */
    void prepareWithText() {
        withText = true;
        prepareAgain();
    }

    void fail(Throwable failure) {
        command.completeExceptionally(failure);
    }

    /** Waits for the answer; why there is none, if there is none. What is given up is not sent later on. An interrupted caller stays interrupted. */
    @Nullable
    Throwable failure(Duration timeout) {
        try {
            command.get(timeout.toMillis() + SLACK_MILLIS, TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : e.getCause();
        } catch (InterruptedException e) {
            // Whoever is told of another failure, or of none, must not lose the interrupt.
            Thread.currentThread().interrupt();
            command.cancel(true);
            return e;
        } catch (TimeoutException e) {
            command.cancel(true);
            return new TimeoutException("no answer within " + timeout);
        } catch (CancellationException e) {
            return e;
        }
    }

    T answer() {
        return command.join();
    }

    /** Whether it was executed, or may have been, or may still be. Waits for the answer. */
    boolean mayHaveHappened(Duration timeout) {
        Throwable failure = failure(timeout);
        return failure == null || !CallFailures.isHarmless(failure);
    }
}
