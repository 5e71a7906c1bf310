package io.feedkit.bench.scale.register;

import io.feedkit.spi.Outbox;
import io.feedkit.spi.WritableFollowGraph;

/** A server that holds the source of truth, reached by those who write and, apart from them, by those who read. */
interface SourceServer extends AutoCloseable {

    /** The outbox of those who write. */
    Outbox writers();

    /** The outbox of those who read, whose calls are counted. */
    Outbox readers();

    WritableFollowGraph graph();

    /** How often those who read have called the server. */
    double calls();

    /** The processor time that the server has used, in seconds. */
    double cpuSeconds();

    /** Does what the server would do some time after much was written. */
    void settle();

    @Override
    void close();
}
