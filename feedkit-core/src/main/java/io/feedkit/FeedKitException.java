package io.feedkit;

import org.jspecify.annotations.Nullable;

/**
 * The base of all failures other than bad arguments.
 *
 * @since 0.1.0
 */
public abstract class FeedKitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * For subclasses.
     *
     * @param message what failed
     * @param cause why, if something else failed before
     */
    protected FeedKitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns whether the same call may succeed a little later.
     *
     * @return true if a retry makes sense
     */
    public abstract boolean isRetryable();
}
