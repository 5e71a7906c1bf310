package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.FailureReasons;
import org.jspecify.annotations.Nullable;

/**
 * A write was sent, but its answer was lost: it may or may not have taken effect. Or a call of several steps failed
 * after one of them had taken effect. Every write of the engine is idempotent, so the caller may repeat the call with
 * the same arguments until it returns. If a call of a counter is not idempotent, its documentation says so.
 *
 * @since 0.1.0
 */
public final class OutcomeUnknownException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What was tried. */
    private final String operation;

    /**
     * Creates an exception that names the operation.
     *
     * @param operation what was tried, such as {@code outbox.append}
     * @param cause the backend's failure, if there is one
     */
    public OutcomeUnknownException(String operation, @Nullable Throwable cause) {
        super(
                "outcome unknown: " + Arguments.nonNull("operation", operation) + " was sent, but not answered"
                        + (cause == null ? "" : ": " + FailureReasons.text(cause)),
                cause);
        this.operation = operation;
    }

    /**
     * What was tried.
     *
     * @return the operation, such as {@code outbox.append}
     */
    public String operation() {
        return operation;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }
}
