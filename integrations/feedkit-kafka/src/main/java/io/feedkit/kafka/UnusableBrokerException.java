package io.feedkit.kafka;

import io.feedkit.FeedKitException;
import org.jspecify.annotations.Nullable;

/**
 * FeedKit cannot use Kafka as it is, or with these settings. The message names what is wrong, its value, and what to
 * do. A retry does not help.
 */
public final class UnusableBrokerException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason {
        /** A setting of the clients is missing, is not valid, or contradicts what the queue promises. */
        SETTING,
        /** A topic or the group is missing or has settings with which messages would be lost, or cannot be created. */
        TOPIC,
        /** The brokers are older than the client supports. */
        TOO_OLD,
        /** Share groups were asked for, but the brokers are older than Kafka 4.2, or share groups are switched off. */
        NO_SHARE_GROUPS,
        /** The user or the password is missing or wrong, or the user lacks a permission. */
        ACCESS_DENIED,
        /** The two sides do not trust each other: a certificate, a protocol or a cipher is refused. */
        NOT_TRUSTED
    }

    /** What is wrong. */
    private final Reason reason;

    /**
     * Says what is wrong.
     *
     * @param reason what is wrong
     * @param message the same for a person, with what to do about it
     * @param cause the client's own words, if there are any
     */
    public UnusableBrokerException(Reason reason, String message, @Nullable Throwable cause) {
        super("unusable broker (" + reason + "): " + message, cause);
        this.reason = reason;
    }

    /**
     * What is wrong.
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
