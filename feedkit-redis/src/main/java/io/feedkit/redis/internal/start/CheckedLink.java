package io.feedkit.redis.internal.start;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.ServerCheck;
import java.util.List;
import java.util.Set;

/**
 * A link to servers that passed the check at start.
 *
 * @param link the link, which the holder must close
 * @param warnings the warnings of the check
 */
public record CheckedLink(RedisLink link, List<String> warnings) {

    /** Copies the warnings. */
    public CheckedLink {
        warnings = List.copyOf(warnings);
    }

    /** Checks the servers. Closes the link if they fail the check. */
    public static CheckedLink of(RedisLink link, String prefix, Set<FormatComponent> parts) {
        try {
            return new CheckedLink(link, ServerCheck.run(link, prefix, parts));
        } catch (Throwable e) {
            link.close();
            throw e;
        }
    }
}
