package io.feedkit.rabbitmq;

import io.feedkit.FeedKitException;
import org.jspecify.annotations.Nullable;

/** FeedKit cannot use the broker, or its queues, as they are. A retry does not help. */
public final class UnusableBrokerException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the broker. */
    public enum Reason {
        /** It answers, but is not RabbitMQ. */
        NOT_RABBITMQ,
        /** It is older than RabbitMQ 3.10. */
        TOO_OLD,
        /** The user or the password is wrong, or the user lacks a permission, or the virtual host is missing. */
        ACCESS_DENIED,
        /** This side does not trust the broker's certificate, or the broker refuses this side's protocol. */
        NOT_TRUSTED,
        /** A queue is missing, and the settings say that it is not declared. */
        MISSING_QUEUE,
        /** A queue of that name exists, and is of another type or has other arguments. */
        OTHER_QUEUE
    }

    /** What is wrong. */
    private final Reason reason;

    /**
     * Says what is wrong.
     *
     * @param reason what is wrong with the broker
     * @param message the same for a person, with what to do about it
     * @param cause the broker's or the client's own words, if there are any
     */
    public UnusableBrokerException(Reason reason, String message, @Nullable Throwable cause) {
        super("unusable broker (" + reason + "): " + message, cause);
        this.reason = reason;
    }

    /**
     * What is wrong with the broker.
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
