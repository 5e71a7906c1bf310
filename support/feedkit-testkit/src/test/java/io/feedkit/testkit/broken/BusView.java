package io.feedkit.testkit.broken;

import io.feedkit.StoreUnavailableException;
import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryLiveBus;

/** A bus in memory as one process of many sees it. Its connection can be cut. */
final class BusView implements LiveBus {

    private final InMemoryLiveBus sound;
    private volatile boolean cut;
    private volatile boolean closed;

    BusView(InMemoryLiveBus sound) {
        this.sound = sound;
    }

    void cut() {
        cut = true;
    }

    void restore() {
        cut = false;
    }

    void close() {
        closed = true;
    }

    /** The bus without this process's faults. */
    InMemoryLiveBus sound() {
        return sound;
    }

    boolean isReachable() {
        return !cut && !closed;
    }

    @Override
    public void send(String message) {
        if (!isReachable()) {
            throw new StoreUnavailableException("bus.send", null);
        }
        sound.send(message);
    }

    @Override
    public Registration listen(Listener listener) {
        return sound.listen(message -> {
            if (isReachable()) {
                listener.received(message);
            }
        });
    }
}
