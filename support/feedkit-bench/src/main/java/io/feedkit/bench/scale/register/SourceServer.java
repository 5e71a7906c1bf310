package io.feedkit.bench.scale.register;

import io.feedkit.spi.Outbox;
import io.feedkit.spi.WritableFollowGraph;

/** A server with the source of truth, and separate outboxes on it for writers and readers. */
interface SourceServer extends AutoCloseable {

    /** The outbox of writers. */
    Outbox writers();

    /** The outbox of readers, whose calls are counted. */
    Outbox readers();

    WritableFollowGraph graph();

    /** The number of readers' calls to the server. */
    double calls();

    /** The processor time that the server has used, in seconds. */
    double cpuSeconds();

    /** Does the maintenance that the server would do some time after many writes. */
    void settle();

    @Override
    void close();
}
