package io.feedkit.queue;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * FeedKit cannot use a broker, or its queues, as they are, or with these settings. The message names what is wrong, its
 * value, and what to do. A retry does not help.
 *
 * @since 0.1.0
 */
public final class UnusableBrokerException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason {
        /** A setting of the clients is missing, is not valid, or contradicts what the queue promises. */
        SETTING,
        /** Another program than the broker answers. */
        OTHER_PROGRAM,
        /** The broker is older than FeedKit or its client supports. */
        TOO_OLD,
        /** A feature that the settings ask for is missing or switched off, such as Kafka's share groups. */
        MISSING_FEATURE,
        /** The user or the password is missing or wrong, or a permission or the virtual host is missing. */
        ACCESS_DENIED,
        /** The two sides do not trust each other: a certificate, a protocol or a cipher is refused. */
        NOT_TRUSTED,
        /** A queue or topic is missing, and the settings do not allow creating it. */
        MISSING_QUEUE,
        /** A queue, topic or group exists with another type or other settings, with which messages would be lost. */
        OTHER_QUEUE,
        /** The broker refuses a request for another reason, which the message names. */
        REFUSED
    }

    /** What is wrong. */
    private final Reason reason;

    /**
     * Creates an exception that describes what is wrong.
     *
     * @param reason what is wrong
     * @param message a description of the problem, and what to do about it
     * @param cause the failure of the broker or its client, if there is one
     */
    public UnusableBrokerException(Reason reason, String message, @Nullable Throwable cause) {
        super(
                "unusable broker (" + Arguments.nonNull("reason", reason) + "): "
                        + Arguments.nonNull("message", message),
                cause);
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
