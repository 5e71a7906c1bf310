package io.feedkit;

import org.jspecify.annotations.Nullable;

/** Everything that can go wrong beside bad arguments. */
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
     * Says whether the same call may well succeed a little later.
     *
     * @return true if a retry makes sense
     */
    public abstract boolean isRetryable();
}
