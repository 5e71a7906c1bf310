package io.feedkit;

/**
 * The answer to a publish.
 *
 * @param status what happened
 * @param post the post as stored: for SAME the earlier one, whose time may differ; for DELETED the one given
 */
public record Published(Status status, Post post) {

    /** What happened. */
    public enum Status {
        /** The post and its fan-out task are recorded. */
        NEW,
        /** The author has published this id before; nothing changed. */
        SAME,
        /** The post was deleted earlier and cannot be published again; nothing changed. */
        DELETED
    }
}
