package io.feedkit.internal.inbox;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps inboxes live without a page. Opens no inbox. Thread-safe. */
public final class InboxRenewal {

    /** How many inboxes one call renews. */
    private static final int AT_ONCE = 500;

    private static final Logger log = LoggerFactory.getLogger(InboxRenewal.class);

    private final EngineSettings settings;
    private final Inbox inbox;
    private final InboxBreaker breaker;

    public InboxRenewal(EngineSettings settings, Inbox inbox, InboxBreaker breaker) {
        this.settings = settings;
        this.inbox = inbox;
        this.breaker = breaker;
    }

    /**
     * Renews the live windows of these readers' inboxes. Never fails: the next renewal or read makes up for it.
     *
     * @return whether the store has answered
     */
    public boolean renew(List<String> readers) {
        try {
            for (int from = 0; from < readers.size(); from += AT_ONCE) {
                List<SliceQuery> queries = readers.subList(from, Math.min(readers.size(), from + AT_ONCE)).stream()
                        .map(reader -> new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, true))
                        .toList();
                if (breaker.ask(() -> inbox.slice(queries)) == null) {
                    return false;
                }
            }
            return true;
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot renew the live windows of {} inboxes; their next renewal or read makes up for it",
                    settings.name(),
                    readers.size(),
                    FailureReasons.printable(e));
            return false;
        }
    }
}
