package io.feedkit.bench.live.presence;

import io.feedkit.spi.PresenceStore;

/** A server with a presence store, and with presence by hand. */
interface PresenceGround extends AutoCloseable {

    PresenceStore store();

    HandPresence byHand();

    /** The bytes of all data. */
    long bytes();

    @Override
    void close();
}
