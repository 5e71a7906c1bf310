package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.FailureReasons;
import org.jspecify.annotations.Nullable;

/**
 * A store could not be reached or could not answer, and did nothing. A retry makes sense, unless {@link #isRetryable()}
 * is false.
 *
 * @since 0.1.0
 */
public final class StoreUnavailableException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What was tried. */
    private final String operation;

    /** Whether it may succeed later. */
    private final boolean retryable;

    /** Whether other parts of the store work. */
    private final boolean ofPart;

    /**
     * Creates an exception that names the failed operation.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure, if there is one
     */
    public StoreUnavailableException(String operation, @Nullable Throwable cause) {
        this(operation, cause, true, false);
    }

    private StoreUnavailableException(String operation, @Nullable Throwable cause, boolean retryable, boolean ofPart) {
        super(
                "store unavailable: " + Arguments.nonNull("operation", operation) + " failed"
                        + (cause == null ? "" : ": " + FailureReasons.text(cause)),
                cause);
        this.operation = operation;
        this.retryable = retryable;
        this.ofPart = ofPart;
    }

    /**
     * Creates an exception for a failure that lasts until an operator changes the store, such as a missing table.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure
     * @return an exception after which a retry makes no sense
     */
    public static StoreUnavailableException permanent(String operation, Throwable cause) {
        return new StoreUnavailableException(operation, Arguments.nonNull("cause", cause), false, false);
    }

    /**
     * Creates an exception for a failure of one part of a store. Calls that do not need the part do not fail. The call
     * has not waited for the part.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure
     * @return an exception that does not mean that the rest of the store fails
     */
    public static StoreUnavailableException ofPart(String operation, Throwable cause) {
        return new StoreUnavailableException(operation, Arguments.nonNull("cause", cause), true, true);
    }

    /**
     * Returns whether only one part of the store failed, so that other parts may still work.
     *
     * @return true if one part failed, and the call has not waited for that part
     */
    public boolean isOfPart() {
        return ofPart;
    }

    /**
     * What was tried.
     *
     * @return the operation, such as {@code inbox.deliver}
     */
    public String operation() {
        return operation;
    }

    @Override
    public boolean isRetryable() {
        return retryable;
    }
}
