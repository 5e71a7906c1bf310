package io.feedkit.bench.brokers;

import io.feedkit.bench.Suite;
import java.util.List;

/** Fan-out through queues. */
public final class BrokersSuite {

    private BrokersSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "brokers",
                "fan-out through queues, against direct claims and code written by hand",
                List.of(
                        new QueueThroughput(),
                        new HandWritten(),
                        new QueueLatency(),
                        new WorkerProcesses(),
                        new QueueBacklog(),
                        new IdleEngines(),
                        new IntakeThroughput()));
    }
}
