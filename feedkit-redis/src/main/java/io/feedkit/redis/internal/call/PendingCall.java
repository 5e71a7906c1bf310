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
 * A call that was sent, and may have to be sent again. Not thread-safe.
 *
 * @param <T> the type of the answer
 */
final class PendingCall<T> {

    /** How much longer to wait than Lettuce does, because Lettuce's exception has more details. */
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

    /** Prepares to send the call with the script's text, because the server does not know the script. */
    void prepareWithText() {
        withText = true;
        prepareAgain();
    }

    void fail(Throwable failure) {
        command.completeExceptionally(failure);
    }

    /**
     * Waits for the answer. Returns the failure, or null if there is an answer. After a time-out the call is not sent
     * later. An interrupted caller stays interrupted.
     */
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
            // The caller may never see this failure, and must not lose the interrupt.
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

    /** Waits for the answer. Returns false only if the call was certainly not executed, and will not be. */
    boolean mayHaveHappened(Duration timeout) {
        Throwable failure = failure(timeout);
        return failure == null || !CallFailures.isHarmless(failure);
    }
}
