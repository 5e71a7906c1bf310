package io.feedkit.internal.host;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.event.FeedListener;
import io.feedkit.event.OperationEnd;
import io.feedkit.event.OperationStarted;
import io.feedkit.internal.check.FailureReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
        if (hasListener()) {
            notifying(() -> listeners.forEach(guarded -> guard(guarded, () -> event.accept(guarded.listener()))));
        }
    }

    /** Runs an operation. Notifies the listeners when it begins, and when it has returned or thrown. */
    public <T> T observe(OperationStarted.Kind kind, int size, Supplier<T> operation) {
        if (!hasListener()) {
            return operation.get();
        }
        List<Started> started = started(OperationStarted.of(kind, size));
        if (started.isEmpty()) {
            return operation.get();
        }
        T result;
        try {
            result = operation.get();
        } catch (Throwable e) {
            ended(started, Optional.of(e));
            throw e;
        }
        ended(started, Optional.empty());
        return result;
    }

    /** A listener that has to be notified of the end of an operation. */
    private record Started(Guarded guarded, OperationEnd end) {}

    /** Notifies the listeners, and returns those that want to know the end, the last one first. */
    private List<Started> started(OperationStarted event) {
        List<Started> started = new ArrayList<>(listeners.size());
        notifying(() -> {
            for (Guarded guarded : listeners) {
                guard(guarded, () -> {
                    OperationEnd end = nonNull("end", guarded.listener().started(event));
                    if (end != OperationEnd.NONE) {
                        started.add(0, new Started(guarded, end));
                    }
                });
            }
        });
        return started;
    }

    private void ended(List<Started> started, Optional<Throwable> failure) {
        notifying(() ->
                started.forEach(each -> guard(each.guarded(), () -> each.end().ended(failure))));
    }

    private void notifying(Runnable calls) {
        boolean outermost = notifying.add(Thread.currentThread());
        try {
            calls.run();
        } finally {
            if (outermost) {
                notifying.remove(Thread.currentThread());
            }
        }
    }

    private void guard(Guarded guarded, Runnable call) {
        try {
            call.run();
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
