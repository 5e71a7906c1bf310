package io.feedkit.internal.host;

import io.feedkit.event.FeedListener;
import io.feedkit.internal.check.FailureReasons;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the host's listeners, each separately. Their exceptions are logged (as a warning once in some minutes,
 * otherwise at DEBUG), and reach neither the caller nor another listener.
 */
public final class GuardedListener {

    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final String engine;
    private final List<Guarded> listeners;
    private final Set<Thread> notifying = ConcurrentHashMap.newKeySet();

    /** A listener, and the limit of its warnings. */
    private record Guarded(FeedListener listener, WarningLimiter warnings) {}

    public GuardedListener(EngineSettings settings, List<FeedListener> listeners) {
        this.engine = settings.name();
        this.listeners = listeners.stream()
                .filter(listener -> listener != FeedListener.NONE)
                .map(listener -> new Guarded(listener, new WarningLimiter(settings.clock())))
                .toList();
    }

    /** Whether there is a listener. Costly events are created only for a listener. */
    public boolean hasListener() {
        return !listeners.isEmpty();
    }

    public void notify(Consumer<FeedListener> event) {
        if (!hasListener()) {
            return;
        }
        boolean outermost = notifying.add(Thread.currentThread());
        try {
            listeners.forEach(guarded -> notify(guarded, event));
        } finally {
            if (outermost) {
                notifying.remove(Thread.currentThread());
            }
        }
    }

    private void notify(Guarded guarded, Consumer<FeedListener> event) {
        try {
            event.accept(guarded.listener());
        } catch (Throwable e) {
            Interrupts.keep(e);
            log.atLevel(guarded.warnings().level())
                    .setCause(FailureReasons.printable(e))
                    .log(
                            "{}: the listener failed ({}); its failures of the next minutes are logged at DEBUG",
                            engine,
                            guarded.listener().getClass().getName());
        }
    }

    /** Whether a thread is running in the listener now. */
    public boolean isNotifying(Thread thread) {
        return notifying.contains(thread);
    }
}
