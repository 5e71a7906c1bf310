package io.feedkit;

import org.jspecify.annotations.Nullable;

/** A store could not be reached or could not answer, and did nothing. A retry makes sense. */
public final class StoreUnavailableException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What was tried. */
    private final String operation;

    /**
     * Names what failed.
     *
     * @param operation what was tried, such as {@code inbox.deliver}
     * @param cause the backend's failure, if there is one
     */
    public StoreUnavailableException(String operation, @Nullable Throwable cause) {
        super("store unavailable: " + operation + " failed" + (cause == null ? "" : ": " + cause), cause);
        this.operation = operation;
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
        return true;
    }
}
