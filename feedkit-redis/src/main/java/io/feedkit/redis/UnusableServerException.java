package io.feedkit.redis;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * FeedKit cannot use the server as it is. Nothing was changed, and a retry does not help.
 *
 * @since 0.1.0
 */
public final class UnusableServerException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the server. */
    public enum Reason {
        /** It answers, but not like Redis. */
        NOT_REDIS,
        /** It is older than Redis 6.2. */
        TOO_OLD,
        /** The user or the password is missing or wrong, or the user lacks a permission. */
        ACCESS_DENIED,
        /**
         * The two sides do not trust each other. This side does not trust the server's certificate, or the certificate
         * is for another host, or the server refuses this side's certificate, protocols or ciphers.
         */
        NOT_TRUSTED,
        /**
         * It is Redis, but of another kind than in the address: a member of a cluster, a sentinel, or a server without
         * the database of the address.
         */
        OTHER_KIND
    }

    /** What is wrong. */
    private final Reason reason;

    /**
     * Creates an exception.
     *
     * @param reason what is wrong with the server
     * @param message a description of the problem, with what to do about it
     * @param cause the failure that the server or the client reported; null if there is none
     */
    public UnusableServerException(Reason reason, String message, @Nullable Throwable cause) {
        super(
                "unusable server (" + Arguments.nonNull("reason", reason) + "): "
                        + Arguments.nonNull("message", message),
                cause);
        this.reason = reason;
    }

    /**
     * What is wrong with the server.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
