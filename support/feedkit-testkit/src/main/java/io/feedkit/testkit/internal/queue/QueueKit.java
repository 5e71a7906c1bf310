package io.feedkit.testkit.internal.queue;

import io.feedkit.queue.FanoutQueue;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** The kit of a fan-out queue as its rules see it; {@code FanoutQueueCompatibilityKit} describes each method. */
public interface QueueKit {

    FanoutQueue queue();

    FanoutQueue anotherQueue();

    List<String> deadLetters();

    void beginOutage();

    void endOutage();

    OptionalInt capacity();

    boolean partitioned();

    Duration longestWait();

    Duration quietTime();

    Duration longestCall();

    int threads();

    int rounds();
}
