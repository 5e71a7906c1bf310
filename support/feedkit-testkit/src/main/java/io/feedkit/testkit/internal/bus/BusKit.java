package io.feedkit.testkit.internal.bus;

import io.feedkit.live.LiveBus;
import java.time.Duration;

/** The kit of a live bus as its rules see it; {@code LiveBusCompatibilityKit} describes each method. */
public interface BusKit {

    LiveBus bus();

    LiveBus anotherBus();

    LiveBus separateBus();

    void close(LiveBus bus);

    void beginOutage();

    void endOutage();

    Duration longestWait();

    Duration quietTime();

    Duration longestCall();

    Duration publishingTime();

    Duration longestCatchUp();

    int threads();
}
