package io.feedkit.internal.inbox;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.Inbox.Slice;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles inboxes that are not known to be wrong, each once in an interval. A first page starts the reconciliation
 * and does not wait for it: it runs on a separate thread, one inbox at a time. Other pages, and renewals of connected
 * readers' inboxes, start it only for inboxes beyond their maximum age. If too many inboxes wait, if it fails,
 * or if the process ends, a later first page of the reader starts it. An engine without workers has no such thread, and
 * reconciles within the page. Thread-safe.
 */
final class RoutineReconciliation implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RoutineReconciliation.class);

    static final int MOST_WAITING = 1000;

    private final InboxReconciler reconciler;
    private final InboxUpkeep upkeep;
    private final String engine;
    private final IdlingThread thread;
    private final WarningLimiter warnings;
    private final boolean withinPage;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    RoutineReconciliation(EngineSettings settings, InboxReconciler reconciler, InboxUpkeep upkeep) {
        this.reconciler = reconciler;
        this.upkeep = upkeep;
        this.engine = settings.name();
        this.thread = new IdlingThread(settings, "inboxes", MOST_WAITING);
        this.warnings = new WarningLimiter(settings.clock());
        this.withinPage = settings.fanout().workers() == 0;
    }

    /** Reconciles the inbox of a first page if that is due. Returns whether anything has changed already. */
    boolean run(String reader, Slice slice) {
        return reconciler.isRoutineDue(reader, slice) && run(reader);
    }

    /** Reconciles the inbox of a reader who reads no first pages if that is due. */
    boolean runIfOverdue(String reader, Slice slice) {
        return reconciler.isOverdue(reader, slice) && run(reader);
    }

    private boolean run(String reader) {
        if (withinPage) {
            return reconciler.reconcile(reader);
        }
        if (waiting.add(reader)) {
            start(reader);
        }
        return false;
    }

    /** Whether {@link #run} would reconcile the inbox before it returns. Changes nothing. */
    boolean wouldReconcile(String reader, Slice slice) {
        return withinPage && reconciler.isRoutineDue(reader, slice);
    }

    private void start(String reader) {
        try {
            Future<?> unused = thread.submit(() -> reconcile(reader));
        } catch (RejectedExecutionException e) {
            waiting.remove(reader);
            log.atLevel(warnings.level())
                    .log(
                            "{}: too many inboxes are due to be reconciled; {} wait for the thread, and later pages "
                                    + "start the others; repetitions of the next minutes are logged at DEBUG",
                            engine,
                            waiting.size());
        } catch (Throwable e) {
            waiting.remove(reader);
            throw e;
        }
    }

    private void reconcile(String reader) {
        waiting.remove(reader);
        try {
            upkeep.attempt(reader, () -> reconciler.reconcile(reader));
        } catch (Throwable e) {
            log.error(
                    "{}: cannot reconcile the inbox of {}; a later page tries again",
                    engine,
                    reader,
                    FailureReasons.printable(e));
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
