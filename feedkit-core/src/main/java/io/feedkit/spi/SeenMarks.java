package io.feedkit.spi;

import java.util.Collection;
import java.util.List;

/**
 * How far each reader has seen the feed. Marks are part of the source of truth: without its mark, a feed would be all
 * unread again.
 */
public interface SeenMarks {

    /**
     * A reader's mark.
     *
     * @param reader the reader
     * @param position everything at or below it has been seen
     */
    record Seen(String reader, Position position) {}

    /**
     * Raises marks, each atomically. A mark never falls: a lower position changes nothing. Idempotent.
     *
     * @param seen readers and positions
     */
    void markSeen(List<Seen> seen);

    /**
     * Reads marks.
     *
     * @param readers the readers
     * @return for each reader the mark, or {@link Position#LOWEST} if there is none
     */
    List<Position> lastSeen(List<String> readers);

    /**
     * Removes marks. Idempotent.
     *
     * @param readers the readers
     */
    void forget(Collection<String> readers);
}
