package io.feedkit.redis;

import io.feedkit.FeedKitException;
import org.jspecify.annotations.Nullable;

/** What was found where Redis should be cannot be used as it is. Nothing was changed, and trying again does not help. */
public final class UnusableServerException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with it. */
    public enum Reason {
        /** It answers, but not as Redis does. */
        NOT_REDIS,
        /** It is older than 6.2. */
        TOO_OLD,
        /** User or password are missing or wrong, or the user may not do what is needed. */
        ACCESS_DENIED,
        /** There is no trust between the two: its certificate is not one that this side trusts, or is for another host, or it does not accept this side, its protocols or its ciphers. */
        NOT_TRUSTED,
        /** It is Redis, but not of the kind that the address says: a member of a cluster, a sentinel, or a server without the database that is asked for. */
        OTHER_KIND
    }

    /** What is wrong. */
    private final Reason reason;

    /**
     * Says what is wrong.
     *
     * @param reason what is wrong with it
     * @param message the same for a person, with what to do about it
     * @param cause the server's or the client's own words, if there are any
     */
    public UnusableServerException(Reason reason, String message, @Nullable Throwable cause) {
        super("unusable server (" + reason + "): " + message, cause);
        this.reason = reason;
    }

    /**
     * What is wrong with it.
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
