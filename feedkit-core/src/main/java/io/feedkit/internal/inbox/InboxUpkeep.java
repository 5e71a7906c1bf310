package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.host.WarningLimiter;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What pages do for inboxes by the way, and can do without: an inbox that is not built or reconciled is no reason to
 * refuse a page whose posts are there. What fails is logged, and left alone for a few seconds. Thread-safe.
 */
public final class InboxUpkeep {

    private static final Logger log = LoggerFactory.getLogger(InboxUpkeep.class);

    /** How soon a reader's upkeep that failed is tried again. */
    static final long RETRY_MILLIS = 5000;

    private final String engine;
    private final Clock clock;
    private final RecentReaders failed = new RecentReaders();
    private final WarningLimiter warnings;

    public InboxUpkeep(EngineSettings settings) {
        this.engine = settings.name();
        this.clock = settings.clock();
        this.warnings = new WarningLimiter(clock);
    }

    /** Does something for a reader's inbox; says whether that changed anything. */
    public boolean attempt(String reader, BooleanSupplier task) {
        if (failed.isWithin(reader, clock.millis(), RETRY_MILLIS)) {
            return false;
        }
        try {
            return task.getAsBoolean();
        } catch (Exception e) {
            Interrupts.keep(e);
            failed.note(reader, clock.millis());
            log.atLevel(warnings.level())
                    .setCause(e)
                    .log(
                            "{}: the inbox of {} could not be seen to, and will be later; failures of the next "
                                    + "minutes are logged at DEBUG",
                            engine,
                            reader);
            return false;
        }
    }
}
