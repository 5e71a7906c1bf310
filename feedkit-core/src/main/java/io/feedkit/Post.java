package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A reference to something published: its author, its id and its time. The content stays with the host.
 *
 * <p>A post is identified by {@code (author, id)}; its time is fixed by the first publish. Ids are opaque: 1 to 64
 * visible ASCII characters ({@code !} to {@code ~}), compared by bytes, so that every store agrees on their order.
 *
 * @param author the author's user id
 * @param id the post's id, unique for the author
 * @param publishedAt when it was published, cut to milliseconds; between {@link #EARLIEST} and {@link #LATEST}
 * @since 0.1.0
 */
public record Post(String author, String id, Instant publishedAt) {

    /** The earliest time a post may carry: 1970-01-01T00:00:00Z. */
    public static final Instant EARLIEST = Instant.EPOCH;

    /** The latest time a post may carry: 9999-12-31T23:59:59.999Z (its milliseconds fit into 48 bits). */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    /**
     * Checks the ids and the time.
     *
     * @throws IllegalArgumentException if an id is not 1 to 64 visible ASCII characters, or the time is null or out of
     *     range
     */
    public Post {
        Ids.require("author", author);
        Ids.require("id", id);
        publishedAt = Arguments.nonNull("publishedAt", publishedAt).truncatedTo(ChronoUnit.MILLIS);
        if (publishedAt.isBefore(EARLIEST) || publishedAt.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    "publishedAt must be between " + EARLIEST + " and " + LATEST + ", but is " + publishedAt);
        }
    }

    /**
     * Makes a post from a time in milliseconds.
     *
     * @param author the author's user id
     * @param id the post's id
     * @param publishedMillis milliseconds since 1970-01-01T00:00:00Z
     * @return the post
     * @throws IllegalArgumentException if an id or the time is out of range
     */
    public static Post of(String author, String id, long publishedMillis) {
        return new Post(author, id, Instant.ofEpochMilli(publishedMillis));
    }

    /**
     * The identity of this post.
     *
     * @return author and id
     */
    public PostKey key() {
        return new PostKey(author, id);
    }
}
