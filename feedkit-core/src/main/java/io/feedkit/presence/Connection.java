package io.feedkit.presence;

import io.feedkit.Beta;

/**
 * One connection of a reader, as {@link Presence#connect} returns it. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public interface Connection extends AutoCloseable {

    /**
     * Whose connection it is.
     *
     * @return the reader
     */
    String reader();

    /**
     * Ends the connection. If it was the reader's last one on this engine, the reader was last seen now. Never fails
     * and never waits. Idempotent; does nothing after the engine was closed.
     */
    @Override
    void close();
}
