package io.feedkit;

import org.jspecify.annotations.Nullable;

/**
 * A store could not be reached or could not answer, and did nothing. A retry makes sense, unless {@link #isRetryable()}
 * is false.
 */
public final class StoreUnavailableException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What was tried. */
    private final String operation;

    /** Whether it may succeed later. */
    private final boolean retryable;

    /**
     * Names what failed.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure, if there is one
     */
    public StoreUnavailableException(String operation, @Nullable Throwable cause) {
        this(operation, cause, true);
    }

    private StoreUnavailableException(String operation, @Nullable Throwable cause, boolean retryable) {
        super("store unavailable: " + operation + " failed" + (cause == null ? "" : ": " + cause), cause);
        this.operation = operation;
        this.retryable = retryable;
    }

    /**
     * Creates an exception for a failure that lasts until somebody changes the store, such as a missing table.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure
     * @return an exception after which a retry makes no sense
     */
    public static StoreUnavailableException permanent(String operation, Throwable cause) {
        return new StoreUnavailableException(operation, cause, false);
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
