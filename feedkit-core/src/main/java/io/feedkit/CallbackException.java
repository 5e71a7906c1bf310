package io.feedkit;

/** A callback of the host that decides something (policy, filter, loader) threw, or answered with something impossible. Nothing was written. */
public final class CallbackException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** Which callback. */
    private final String callback;

    /**
     * Names the callback.
     *
     * @param callback which callback, such as {@code policy}
     * @param cause what it threw
     */
    public CallbackException(String callback, Throwable cause) {
        super("the host's " + callback + " failed: " + cause, cause);
        this.callback = callback;
    }

    /**
     * Which callback.
     *
     * @return {@code policy}, {@code filter} or {@code loader}
     */
    public String callback() {
        return callback;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
