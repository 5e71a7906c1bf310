package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a reader is connected.
 *
 * @param liveSubscriptions how many live feeds of the reader this engine serves
 * @param connected whether this engine holds a connection of the reader; live feeds count
 * @param online whether the reader is online, on any engine that shares the presence store; empty if that store cannot
 *     be reached
 * @param lastSeen when the reader was last seen; empty if that is not known
 * @since 0.1.0
 */
@Beta
public record ConnectionState(
        int liveSubscriptions, boolean connected, Optional<Boolean> online, Optional<Instant> lastSeen) {
    /** Refuses null. */
    public ConnectionState {
        nonNull("online", online);
        nonNull("lastSeen", lastSeen);
    }
}
