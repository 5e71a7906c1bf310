package io.feedkit.internal.engine;

import io.feedkit.cards.Card;
import io.feedkit.cards.PageAssembly;
import io.feedkit.event.CardPartFailed;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.CallThreads;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the parts of cards with the engine's threads, and reports their failures. Thread-safe. */
public final class EngineCards implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineCards.class);

    private final EngineSettings settings;
    private final GuardedListener listener;
    private final CallThreads threads;
    private final Map<String, WarningLimiter> warnings = new ConcurrentHashMap<>();

    EngineCards(EngineSettings settings, GuardedListener listener) {
        this.settings = settings;
        this.listener = listener;
        threads = new CallThreads(settings.name() + "-cards");
    }

    /** Loads the parts of a page's cards. */
    public List<Card> load(String reader, List<Card> cards, PageAssembly assembly) {
        return assembly.load(reader, cards, threads, this::report);
    }

    private void report(CardPartFailed event, Throwable cause) {
        log.atLevel(warnings(event.part()).level())
                .setCause(FailureReasons.printable(cause))
                .log(
                        "{}: part {} of cards failed ({}), and the page has its fallback; its failures of the next"
                                + " minutes are logged at DEBUG",
                        settings.name(),
                        event.part(),
                        event.kind());
        listener.notify(each -> each.cardPartFailed(event));
    }

    private WarningLimiter warnings(String part) {
        return warnings.computeIfAbsent(part, name -> new WarningLimiter(settings.clock()));
    }

    @Override
    public void close() {
        threads.close();
    }
}
