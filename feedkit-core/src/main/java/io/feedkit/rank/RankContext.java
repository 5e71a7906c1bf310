package io.feedkit.rank;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.time.Instant;

/**
 * For whom, and when, a feed is ranked.
 *
 * @param reader whose feed it is
 * @param now the time of the read, by the engine's clock. A post may be dated a little later
 * @since 0.1.0
 */
@Beta
public record RankContext(String reader, Instant now) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the reader is not a legal id, or the time is null
     */
    public RankContext {
        Ids.require("reader", reader);
        Arguments.nonNull("now", now);
    }
}
