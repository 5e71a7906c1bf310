package io.feedkit.redis.internal.start;

import io.feedkit.redis.internal.call.Link;
import java.util.List;
import java.util.function.Supplier;

/**
 * A link that is connected, or that connects when the servers can be reached.
 *
 * @param link the link, which the holder must close
 * @param warnings the warnings of the check, once the servers were reached
 */
public record StartedLink(Link link, Supplier<List<String>> warnings) {

    /** A connected link. */
    public static StartedLink of(CheckedLink checked) {
        return new StartedLink(checked.link(), checked::warnings);
    }
}
