package io.feedkit.bench.brokers;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.InMemoryFanoutQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of queue, on a server of its own where it needs one.
 *
 * @param name for figures
 * @param open opens an empty queue; nothing if its server cannot be had
 */
record BenchQueue(String name, Supplier<Optional<OpenQueue>> open) {

    /** A queue, and what else is closed after it. */
    record OpenQueue(FanoutQueue queue, Runnable server) implements AutoCloseable {
        @Override
        public void close() {
            queue.close();
            server.run();
        }
    }

    static final List<BenchQueue> ALL =
            List.of(new BenchQueue("memory", () -> Optional.of(new OpenQueue(InMemoryFanoutQueue.create(), () -> {}))));
}
