package io.feedkit.spring.internal.engine;

import io.feedkit.FeedEngine;
import org.springframework.context.SmartLifecycle;

/**
 * Lets the workers run from when all beans are ready until the application stops. They start before the web server, and
 * stop after it has finished its requests. The engine is closed with the beans, before the store and the pools, on
 * which it depends.
 */
public final class EngineLifecycle implements SmartLifecycle {

    /** Below the phases of Spring Boot's web servers, which are at most 2,048 below the default. */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final FeedEngine feed;
    private volatile boolean running;

    public EngineLifecycle(FeedEngine feed) {
        this.feed = feed;
    }

    @Override
    public void start() {
        feed.fanout().resume();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        feed.fanout().pause();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
