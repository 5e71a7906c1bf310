package io.feedkit.examples.replay;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import java.time.Clock;

/** Where feeds can be kept: the one place that turns what {@code --store} says into a store. */
final class Stores {

    private Stores() {}

    /**
     * Opens a store whose follow graph can be written.
     *
     * @throws IllegalArgumentException if there is no such store
     */
    static FeedStore open(String url, Clock clock) {
        if (url.equals("memory")) {
            return InMemoryFeedStore.create(clock);
        }
        throw new IllegalArgumentException("store must be memory, but is " + url);
    }
}
