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
     * @param last the furthest post scanned, of any author, if there was one
     * @param candidates how many posts were scanned
     */
    record Chunk(List<FeedEntry> entries, Optional<Position> last, int candidates) {}

    /** The next part: at most {@code limit} posts, possibly none before the end. */
    Chunk next(int limit);

    boolean atEnd();

    /** Whether the walk cannot continue, although it is not at its end, because no outbox can be read. */
    boolean isCutOff();

    /** Whether the rest of the walk, including later pages, must be read from the outboxes. */
    boolean isBeyondInbox();

    /**
     * Makes the walk end with the millisecond of a position that it has reached. Returns the position from which
     * another walk can continue.
     */
    Position endWithMillisecondOf(Position reached);

    /** Why the walk's posts may be incomplete or stale. */
    Set<Caveat> caveats();

    int outboxCalls();

    @Override
    void close();
}
