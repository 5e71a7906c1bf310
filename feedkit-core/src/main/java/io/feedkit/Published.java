package io.feedkit;

import io.feedkit.internal.check.Arguments;

/**
 * The answer to a publish.
 *
 * @param status what happened
 * @param post the post as stored: for SAME the earlier one, whose time may differ; for DELETED the one given
 * @since 0.1.0
 */
public record Published(Status status, Post post) {
    /** Refuses null. */
    public Published {
        Arguments.nonNull("status", status);
        Arguments.nonNull("post", post);
    }

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
