package io.feedkit.spring.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;

/**
 * Streams that end at the beginning of a shutdown: otherwise a web server that stops gracefully would wait for them.
 * Thread-safe.
 */
abstract class EndingStreams implements SmartLifecycle {

    /** Above the phase in which web servers wait for their requests, so that streams end before. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    /** Adds a stream. If the application stops already, the stream ends at once. */
    final void add(Runnable end) {
        ends.add(end);
        if (!running) {
            end.run();
        }
    }

    final void remove(Runnable end) {
        ends.remove(end);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        ends.forEach(Runnable::run);
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final int getPhase() {
        return PHASE;
    }
}
