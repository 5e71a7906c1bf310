package io.feedkit;

/**
 * A callback of the host that decides something (policy, filter, loader) threw, or answered with something impossible.
 * Nothing was written. Whatever it threw is the cause, checked exceptions and errors too. Two things pass as they are:
 * a {@link FeedKitException} of a store that the callback met, and an error of the virtual machine other than
 * {@link StackOverflowError}.
 */
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
