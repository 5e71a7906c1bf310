package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.host.WarningLimiter;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the upkeep of inboxes during reads. A page does not fail because an inbox cannot be built or reconciled. A
 * failure is logged, and the upkeep of that inbox pauses for a few seconds. Thread-safe.
 */
public final class InboxUpkeep {

    private static final Logger log = LoggerFactory.getLogger(InboxUpkeep.class);

    /** The pause after a failed upkeep of a reader's inbox. */
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

    /** Whether the upkeep of a reader's inbox pauses after a failure. */
    boolean isPaused(String reader) {
        return failed.isWithin(reader, clock.millis(), RETRY_MILLIS);
    }

    /** Runs an upkeep task for a reader's inbox; returns whether it changed anything. */
    public boolean attempt(String reader, BooleanSupplier task) {
        if (isPaused(reader)) {
            return false;
        }
        try {
            return task.getAsBoolean();
        } catch (Exception e) {
            Interrupts.keep(e);
            failed.note(reader, clock.millis());
            log.atLevel(warnings.level())
                    .setCause(FailureReasons.printable(e))
                    .log(
                            "{}: cannot build or reconcile the inbox of {}; a later read tries again; failures of the "
                                    + "next minutes are logged at DEBUG",
                            engine,
                            reader);
            return false;
        }
    }
}
