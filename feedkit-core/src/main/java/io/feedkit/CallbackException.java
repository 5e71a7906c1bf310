package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.FailureReasons;

/**
 * A callback of the host (a policy, filter, loader or ranker) threw an exception, or returned an invalid result.
 * Nothing was written. The cause is the callback's throwable, which may also be a checked exception or an error. Two
 * kinds of throwables are not wrapped: a {@link FeedKitException} of a store that the callback used, and an error of
 * the virtual machine other than {@link StackOverflowError}.
 *
 * @since 0.1.0
 */
public final class CallbackException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The callback that failed. */
    private final String callback;

    /**
     * Creates an exception that names the callback.
     *
     * @param callback which callback, such as {@code policy}
     * @param cause what the callback threw
     */
    public CallbackException(String callback, Throwable cause) {
        super(
                "the host's " + Arguments.nonNull("callback", callback) + " failed: "
                        + FailureReasons.text(Arguments.nonNull("cause", cause)),
                cause);
        this.callback = callback;
    }

    /**
     * The callback that failed.
     *
     * @return {@code policy}, {@code filter}, {@code loader} or {@code ranker}
     */
    public String callback() {
        return callback;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
