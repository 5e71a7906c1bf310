package io.feedkit.spi;

import java.util.Collection;
import java.util.List;

/** How far each reader has seen the feed. It is truth: a lost mark would make everything unread again. */
public interface SeenMarks {

    /**
     * A reader's mark.
     *
     * @param reader the reader
     * @param position everything at or below it has been seen
     */
    record Seen(String reader, Position position) {}

    /**
     * Raises marks. For each atomically; a mark never falls, so a lower position changes nothing. Idempotent.
     *
     * @param seen readers and positions
     */
    void markSeen(List<Seen> seen);

    /**
     * Reads marks.
     *
     * @param readers the readers
     * @return for each the mark, {@link Position#LOWEST} if there is none
     */
    List<Position> lastSeen(List<String> readers);

    /**
     * Removes marks. Idempotent.
     *
     * @param readers the readers
     */
    void forget(Collection<String> readers);
}
