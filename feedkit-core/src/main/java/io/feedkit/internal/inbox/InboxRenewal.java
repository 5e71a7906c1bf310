package io.feedkit.internal.inbox;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.function.BiConsumer;
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
    private final BiConsumer<String, Slice> renewed;

    /** @param renewed receives each reader whose inbox was asked for, with a slice of it */
    public InboxRenewal(EngineSettings settings, Inbox inbox, InboxBreaker breaker, BiConsumer<String, Slice> renewed) {
        this.settings = settings;
        this.inbox = inbox;
        this.breaker = breaker;
        this.renewed = renewed;
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
                List<Slice> slices = breaker.ask(() -> inbox.slice(queries));
                if (slices == null) {
                    return false;
                }
                for (int i = 0; i < slices.size(); i++) {
                    renewed.accept(queries.get(i).reader(), slices.get(i));
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
