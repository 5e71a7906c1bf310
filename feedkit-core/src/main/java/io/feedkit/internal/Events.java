package io.feedkit.internal;

import io.feedkit.event.FeedListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Guards the host's listener once and for all: what it throws is logged (WARN once, then DEBUG) and goes no further. */
public final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final String engine;
    private final FeedListener listener;
    private final AtomicBoolean warned = new AtomicBoolean();

    public Events(String engine, FeedListener listener) {
        this.engine = engine;
        this.listener = listener;
    }

    /** Whether anybody listens; events that cost something to make are made only then. */
    boolean wanted() {
        return listener != FeedListener.NONE;
    }

    void tell(Consumer<FeedListener> event) {
        if (!wanted()) {
            return;
        }
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            if (warned.compareAndSet(false, true)) {
                log.warn("{}: the listener failed; further failures are logged at DEBUG", engine, e);
            } else {
                log.debug("{}: the listener failed", engine, e);
            }
        }
    }
}
