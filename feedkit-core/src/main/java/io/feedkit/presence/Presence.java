package io.feedkit.presence;

import io.feedkit.Beta;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who is online, over all engines that share a {@link io.feedkit.spi.PresenceStore}.
 *
 * <pre>{@code
 * Connection connection = feed.presence().connect("ann");   // when ann's socket opens
 * boolean online = feed.presence().isOnline("ann");
 * connection.close();                                       // when it closes
 * }</pre>
 *
 * <p>There are two facts about a reader:
 *
 * <ul>
 *   <li>A reader is <i>connected</i> while an engine holds a connection of the reader. Each engine reports all its
 *       connected readers once in {@code interval} (30 s), in batches. If an engine dies, its readers are not connected
 *       any more after two intervals.
 *   <li>A reader is <i>seen</i> when the last connection on an engine closes, and when the host calls {@link #seen}.
 *       Settings let reads and publishes count, too.
 * </ul>
 *
 * <p>A reader is <i>online</i> who is connected, or was seen within {@code onlineWindow} (3 h). Connected readers keep
 * their inboxes live, as if they read. All these settings are in {@link io.feedkit.FeedEngineBuilder.PresenceSettings}.
 *
 * <p>No call of a host, and no read and no publish, waits for the store in order to record presence. An engine
 * reports a connection to the store within a second. It reports sightings once in {@code interval}, or four times in
 * {@code onlineWindow} if that is shorter. {@link #isOnline}, {@link #online} and {@link #lastSeen} know of this
 * engine's readers at once. If the process dies, sightings that were not reported are lost. If the store cannot be
 * reached, the engine reports again after the next interval. Up to 100,000 readers wait for that; sightings of further
 * readers are dropped.
 *
 * <p>Safe for use by many threads. Methods that ask the store throw {@link io.feedkit.StoreUnavailableException} if it
 * cannot be reached: at once, if it failed lately. All methods throw {@link io.feedkit.EngineClosedException} after the
 * engine was closed, and {@link IllegalArgumentException} if an argument is null or an id is not legal.
 *
 * @since 0.1.0
 */
@Beta
public interface Presence {

    /**
     * Begins a connection of a reader, such as a WebSocket. A reader may have many, on many engines. Live feeds of this
     * engine connect their readers themselves. Never waits.
     *
     * @param reader the reader
     * @return the connection; the host closes it when the reader has left
     */
    Connection connect(String reader);

    /**
     * Reports that a reader is there, for example because the reader opened a page that is not a feed. Does not renew
     * the reader's inbox. Never waits.
     *
     * @param reader the reader
     */
    void seen(String reader);

    /**
     * Reports that readers are there, as {@link #seen(String)} does for one.
     *
     * @param readers the readers
     */
    void seen(Collection<String> readers);

    /**
     * Returns whether a reader is online.
     *
     * @param reader the reader
     * @return true if the reader is online
     */
    boolean isOnline(String reader);

    /**
     * Returns which of some readers are online. A thousand readers take one call to the store.
     *
     * @param readers the readers
     * @return those of them who are online
     */
    Set<String> online(Collection<String> readers);

    /**
     * Counts the readers who are online, as far as they were reported. The store counts for each call, so a host that
     * shows the number to everybody should cache it.
     *
     * @return the number of readers
     */
    long count();

    /**
     * Lists the first readers who are online.
     *
     * @param limit the most readers, 1 to {@value io.feedkit.PageRequest#MAX_LIMIT}
     * @return the readers, the latest seen first, and where the next page begins
     * @throws io.feedkit.InvalidRequestException if the limit is out of range
     */
    OnlinePage list(int limit);

    /**
     * Lists the next readers who are online.
     *
     * @param after {@link OnlinePage#next} of the page before
     * @param limit the most readers, 1 to {@value io.feedkit.PageRequest#MAX_LIMIT}
     * @return the readers, the latest seen first, and where the next page begins
     * @throws io.feedkit.InvalidRequestException if the limit is out of range, or {@code after} is not from a page
     */
    OnlinePage list(String after, int limit);

    /**
     * Returns when a reader was last seen. The beginning of a connection counts here, but not for
     * {@code onlineWindow}: if an engine dies, its readers were last seen when they connected, or later.
     *
     * @param reader the reader
     * @return the time; empty if the reader is offline and was not seen within {@code lastSeenKept} (7 days)
     */
    Optional<Instant> lastSeen(String reader);

    /**
     * Returns when readers were last seen, as {@link #lastSeen(String)} does for one. A thousand readers take one call
     * to the store.
     *
     * @param readers the readers
     * @return a time for each reader for whom there is one
     */
    Map<String, Instant> lastSeen(Collection<String> readers);

    /**
     * Reports all of this engine's readers to the store now, instead of in their interval. For tests.
     *
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     * @throws io.feedkit.OutcomeUnknownException if some readers may have been reported
     */
    void announce();
}
