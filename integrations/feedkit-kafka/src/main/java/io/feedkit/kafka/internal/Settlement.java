package io.feedkit.kafka.internal;

/**
 * What a caller says of a message, or the dead letters of one that was refused.
 *
 * @param message the message
 * @param kind what is said
 * @param reason why it was refused, or nothing
 */
record Settlement(KafkaMessage message, Kind kind, String reason) {

    /** What is said of a message. */
    enum Kind {
        /** It need not be delivered again. */
        ACKNOWLEDGED,
        /** It is to be moved to the dead letters. */
        REFUSED,
        /** It is among the dead letters. */
        MOVED
    }
}
