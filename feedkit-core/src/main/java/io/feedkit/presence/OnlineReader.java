package io.feedkit.presence;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.time.Instant;

/**
 * A reader who is online.
 *
 * @param reader the reader
 * @param lastSeen when the reader was last seen, as {@link Presence#lastSeen(String)} defines it
 * @since 0.1.0
 */
@Beta
public record OnlineReader(String reader, Instant lastSeen) {

    /**
     * Creates an entry of a page, as the engine does; hosts need it in tests of their own.
     *
     * @throws IllegalArgumentException if an argument is null, or the reader is not a legal id
     */
    public OnlineReader {
        Ids.require("reader", reader);
        Arguments.nonNull("lastSeen", lastSeen);
    }
}
