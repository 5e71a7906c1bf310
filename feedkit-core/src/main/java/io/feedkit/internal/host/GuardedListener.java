package io.feedkit.internal.host;

import io.feedkit.event.FeedListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the host's listener once and for all: what it throws is logged (as a warning now and then, else at DEBUG) and
 * goes no further.
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

    /** Whether anybody listens; events that cost something to make are made only then. */
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

    /** Whether a thread is in the listener now. */
    public boolean isTelling(Thread thread) {
        return telling.contains(thread);
    }
}
