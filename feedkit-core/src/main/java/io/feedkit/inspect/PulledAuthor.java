package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Instant;

/**
 * An author in the pulled register: readers get these posts from the author's outbox.
 *
 * @param author the author
 * @param oldest the time of the oldest post that was not pushed, or an earlier time
 * @param newest the time of the newest post that was not pushed, or a later time
 * @since 0.1.0
 */
@Beta
public record PulledAuthor(String author, Instant oldest, Instant newest) {
    /** Refuses null. */
    public PulledAuthor {
        nonNull("author", author);
        nonNull("oldest", oldest);
        nonNull("newest", newest);
    }
}
