package io.feedkit.internal.inbox;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a publish as a visit of its author, if the host wants that: the author's own inbox stays live. Opens no inbox.
 * Thread-safe.
 */
public final class AuthorActivity {

    private static final Logger log = LoggerFactory.getLogger(AuthorActivity.class);

    private final EngineSettings settings;
    private final Inbox inbox;
    private final InboxBreaker breaker;

    public AuthorActivity(EngineSettings settings, Inbox inbox, InboxBreaker breaker) {
        this.settings = settings;
        this.inbox = inbox;
        this.breaker = breaker;
    }

    /** Whether publishes count. */
    public boolean counts() {
        return settings.publishingCountsAsActivity();
    }

    /** Renews the live windows of these authors' inboxes. Never fails: the next publish makes up for it. */
    public void published(Collection<String> authors) {
        if (!counts() || authors.isEmpty()) {
            return;
        }
        List<SliceQuery> queries = authors.stream()
                .distinct()
                .map(author -> new SliceQuery(author, PositionRange.ALL, Order.NEWEST_FIRST, 1, true))
                .toList();
        try {
            breaker.ask(() -> inbox.slice(queries));
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot renew the live windows of {} authors; their next publish or visit renews them",
                    settings.name(),
                    queries.size(),
                    FailureReasons.printable(e));
        }
    }
}
