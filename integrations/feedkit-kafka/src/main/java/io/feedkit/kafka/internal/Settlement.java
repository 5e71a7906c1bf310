package io.feedkit.kafka.internal;

/**
 * A caller's decision on a message, or the move of a refused message to the dead letters.
 *
 * @param message the message
 * @param kind the decision
 * @param reason why it was refused; else empty
 */
record Settlement(KafkaMessage message, Kind kind, String reason) {

    /** A decision on a message. */
    enum Kind {
        /** It need not be delivered again. */
        ACKNOWLEDGED,
        /** It is to be moved to the dead letters. */
        REFUSED,
        /** It is among the dead letters. */
        MOVED
    }
}
