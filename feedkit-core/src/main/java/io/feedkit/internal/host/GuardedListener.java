package io.feedkit.internal.host;

import io.feedkit.event.FeedListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the host's listener. Its exceptions are logged (as a warning once in some minutes, otherwise at DEBUG), and
 * never reach the caller.
 */
public final class GuardedListener {

    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final String engine;
    private final FeedListener listener;
    private final WarningLimiter warnings;
    private final Set<Thread> telling = ConcurrentHashMap.newKeySet();

    public GuardedListener(EngineSettings settings, FeedListener listener) {
        this.engine = settings.name();
        this.warnings = new WarningLimiter(settings.clock());
        this.listener = listener;
    }

    /** Whether there is a listener. Costly events are created only for a listener. */
    public boolean wanted() {
        return listener != FeedListener.NONE;
    }

    public void tell(Consumer<FeedListener> event) {
        if (!wanted()) {
            return;
        }
        boolean outermost = telling.add(Thread.currentThread());
        try {
            event.accept(listener);
        } catch (Throwable e) {
            Interrupts.keep(e);
            log.atLevel(warnings.level())
                    .setCause(e)
                    .log("{}: the listener failed; failures of the next minutes are logged at DEBUG", engine);
        } finally {
            if (outermost) {
                telling.remove(Thread.currentThread());
            }
        }
    }

    /** Whether a thread is running in the listener now. */
    public boolean isTelling(Thread thread) {
        return telling.contains(thread);
    }
}
