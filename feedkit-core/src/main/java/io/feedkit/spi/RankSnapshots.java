package io.feedkit.spi;

import io.feedkit.Beta;
import java.util.Collection;
import java.util.Optional;

/**
 * The orders of ranked feeds, for as long as readers walk through them. A snapshot is opaque bytes with a name that the
 * engine chooses. It never changes.
 *
 * <p>A store may lose any snapshot at any time; the reader's walk then ends, and the reader starts a new one. So
 * snapshots need neither a backup nor a flush to the disk. A store must never return a snapshot of another reader or
 * another name, nor a part of one.
 *
 * <p>A snapshot takes 6 bytes for each post if ids are short numbers, 11 if they are numbers of 18 digits, 19 if they
 * are UUIDs, and an author's id once: 5 to 20 kB for 500 posts, and at most 131 kB for 1,000.
 *
 * @since 0.1.0
 */
@Beta
public interface RankSnapshots {

    /**
     * How many snapshots of a reader are kept: enough for several devices and for refreshed pages, and a bound for
     * readers who only ever read first pages.
     */
    int KEPT = 8;

    /** The most bytes of a snapshot. */
    int MOST_BYTES = 1 << 18;

    /**
     * Saves a snapshot, in one atomic step. It is kept until its time has passed by the store's clock, or until
     * {@value #KEPT} newer ones of the reader were saved. Those that are not kept are removed without further calls.
     * Snapshots that were saved in the same millisecond, or by concurrent calls, may be removed in any order. Saving
     * the same name again replaces the snapshot.
     *
     * @param reader the reader
     * @param name the snapshot's name, 16 characters 0-9 and a-f; unique for the reader
     * @param order the content, 1 to {@value #MOST_BYTES} bytes; the store copies what it keeps
     * @param lifetimeMillis how long the snapshot is kept, at least 1
     */
    void save(String reader, String name, byte[] order, long lifetimeMillis);

    /**
     * Reads a snapshot.
     *
     * @param reader the reader
     * @param name the snapshot's name
     * @return the content, which belongs to the caller; empty if there is no such snapshot, or its time has passed
     */
    Optional<byte[]> load(String reader, String name);

    /**
     * Removes all snapshots of readers. Idempotent.
     *
     * @param readers the readers
     */
    void forget(Collection<String> readers);
}
