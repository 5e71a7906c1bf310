package io.feedkit.rank;

import io.feedkit.Beta;
import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Arguments;

/**
 * The order that a {@link RankCursor} names is not stored any more, so the walk cannot continue. The order has expired;
 * or the reader has begun many walks since; or its store has lost it; or it is in the memory of another process. The
 * same is thrown if the cursor is another reader's. A host starts again with {@link RankRequest#top}, and a web API
 * answers "gone".
 *
 * @since 0.1.0
 */
@Beta
public final class SnapshotExpiredException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The text of the cursor. */
    private final String cursor;

    /**
     * Creates an exception that names the cursor.
     *
     * @param cursor the cursor
     */
    public SnapshotExpiredException(RankCursor cursor) {
        super(
                "the ranking of cursor " + Arguments.nonNull("cursor", cursor)
                        + " is not stored any more for this reader; start again with RankRequest.top",
                null);
        this.cursor = cursor.toString();
    }

    /**
     * The cursor whose order is gone.
     *
     * @return the cursor
     */
    public RankCursor cursor() {
        return RankCursor.parse(cursor);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
