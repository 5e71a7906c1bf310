package io.feedkit.redis.internal.start;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.ServerCheck;
import java.util.List;
import java.util.Set;

/**
 * A link to servers that were found usable.
 *
 * @param link the link, of which whoever holds this disposes
 * @param warnings what should be changed there
 */
public record CheckedLink(RedisLink link, List<String> warnings) {

    /** Copies the warnings. */
    public CheckedLink {
        warnings = List.copyOf(warnings);
    }

    /** Closes the link if they are not. */
    public static CheckedLink of(RedisLink link, String prefix, Set<FormatComponent> parts) {
        try {
            return new CheckedLink(link, ServerCheck.run(link, prefix, parts));
        } catch (Throwable e) {
            link.close();
            throw e;
        }
    }
}
