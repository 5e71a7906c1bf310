package io.feedkit.examples.replay;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.InMemoryFanoutQueue;
import java.util.Optional;

/** How tasks can reach the workers: the one place that turns what {@code --queue} says into a queue. */
final class FanoutQueues {

    /** The workers claim their tasks from the store. */
    static final String NONE = "none";

    private FanoutQueues() {}

    /** A queue for one run, if there is to be one. Closing it removes what the run left on a broker. */
    record OpenQueue(Optional<FanoutQueue> queue, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty queue.
     *
     * @throws IllegalArgumentException if there is no such queue
     */
    static OpenQueue open(String url) {
        if (url.equals(NONE)) {
            return new OpenQueue(Optional.empty(), () -> {});
        }
        if (url.equals("memory")) {
            FanoutQueue queue = InMemoryFanoutQueue.create();
            return new OpenQueue(Optional.of(queue), queue::close);
        }
        throw new IllegalArgumentException("queue must be none or memory, but is " + url);
    }
}
