package io.feedkit.rank;

import io.feedkit.Beta;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.internal.check.Arguments;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a ranked feed: the first page, or the page after a cursor. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public final class RankRequest {

    /**
     * The most posts that are ranked: what an inbox holds by default, and what a ranker can score while a reader waits.
     */
    public static final int MAX_CANDIDATES = 1000;

    private final int candidates;
    private final int limit;
    private final @Nullable RankCursor cursor;

    private RankRequest(int candidates, int limit, @Nullable RankCursor cursor) {
        InvalidRequestException.requireLimit(limit, PageRequest.MAX_LIMIT);
        this.candidates = candidates;
        this.limit = limit;
        this.cursor = cursor;
    }

    /**
     * Requests a new ranking, and its first page.
     *
     * @param candidates how many of the feed's newest posts are ranked, 1 to {@value #MAX_CANDIDATES}. The walk ends
     *     with these posts
     * @param limit the most posts of the page, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the request
     * @throws InvalidRequestException if a number is out of range
     */
    public static RankRequest top(int candidates, int limit) {
        if (candidates < 1 || candidates > MAX_CANDIDATES) {
            throw new InvalidRequestException(
                    "candidates must be between 1 and " + MAX_CANDIDATES + ", but is " + candidates);
        }
        return new RankRequest(candidates, limit, null);
    }

    /**
     * Requests the next page of a ranking.
     *
     * @param cursor where to continue: {@link RankedPage#next()} of the page before
     * @param limit the most posts of the page, 1 to {@value PageRequest#MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null
     * @throws InvalidRequestException if the limit is out of range
     */
    public static RankRequest after(RankCursor cursor, int limit) {
        return new RankRequest(0, limit, Arguments.nonNull("cursor", cursor));
    }

    /**
     * How many posts are ranked.
     *
     * @return 1 to {@value #MAX_CANDIDATES}; 0 if the request continues a walk
     */
    public int candidates() {
        return candidates;
    }

    /**
     * The most posts of the page.
     *
     * @return 1 to {@value PageRequest#MAX_LIMIT}
     */
    public int limit() {
        return limit;
    }

    /**
     * Where the page begins.
     *
     * @return the cursor; empty for a first page
     */
    public Optional<RankCursor> cursor() {
        return Optional.ofNullable(cursor);
    }

    @Override
    public String toString() {
        return (cursor == null ? "top of " + candidates : "after " + cursor) + " limit " + limit;
    }
}
