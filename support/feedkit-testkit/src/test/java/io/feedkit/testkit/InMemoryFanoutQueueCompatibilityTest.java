package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;

/** Outages and other processes are tested with {@code broken.Leaves}: a queue in memory knows neither. */
class InMemoryFanoutQueueCompatibilityTest extends FanoutQueueCompatibilityKit {

    private static final int CAPACITY = 1000;

    private final InMemoryFanoutQueue queue = InMemoryFanoutQueue.create(CAPACITY);

    @Override
    protected FanoutQueue queue() {
        return queue;
    }

    @Override
    protected List<String> deadLetters() {
        return queue.deadLetters();
    }

    @Override
    protected OptionalInt capacity() {
        return OptionalInt.of(CAPACITY);
    }

    @Override
    protected Duration quietTime() {
        return Duration.ofMillis(20);
    }

    @AfterEach
    void close() {
        queue.close();
    }
}
