package io.feedkit.internal.read;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A walk over posts in chunks, downwards or upwards. Not thread-safe. */
interface Scan extends AutoCloseable {

    /**
     * A part of the posts.
     *
     * @param entries undeleted posts, in reading order
     * @param last the furthest post looked at, of any author, if there was one
     * @param candidates how many posts were looked at
     */
    record Chunk(List<FeedEntry> entries, Optional<Position> last, int candidates) {}

    /** The next part: at most {@code limit} posts, possibly none before the end. */
    Chunk next(int limit);

    boolean atEnd();

    /** Whether the walk cannot go on, although it is not at its end, because no outbox can be read. */
    boolean isCutOff();

    /** Whether the rest of the walk must be read from the outboxes, also on later pages. */
    boolean isBeyondInbox();

    /**
     * Lets the walk end with the millisecond of a place that it has reached. Returns the place from which another walk
     * can go on.
     */
    Position endWithMillisecondOf(Position reached);

    /** Why the walk's posts may be incomplete or stale. */
    Set<Caveat> caveats();

    int outboxCalls();

    @Override
    void close();
}
