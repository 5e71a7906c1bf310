package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads and counts inboxes. A visit builds the reader's inbox if there is none, and keeps it consistent.
 * Thread-safe.
 */
public final class LiveInboxes implements AutoCloseable {

    private final Inbox inbox;
    private final InboxBreaker breaker;
    private final InboxBuilder builder;
    private final InboxReconciler reconciler;
    private final InboxUpkeep upkeep;
    private final RoutineReconciliation routine;

    public LiveInboxes(
            EngineSettings settings,
            Inbox inbox,
            InboxBreaker breaker,
            InboxBuilder builder,
            InboxReconciler reconciler) {
        this.inbox = inbox;
        this.breaker = breaker;
        this.builder = builder;
        this.reconciler = reconciler;
        this.upkeep = new InboxUpkeep(settings);
        this.routine = new RoutineReconciliation(settings, reconciler, upkeep);
    }

    /** As {@link Inbox#sendsQuestions}. */
    public boolean sendQuestions() {
        return inbox.sendsQuestions();
    }

    /** Reads a slice without upkeep; empty if the inbox store does not answer. */
    public Optional<Slice> slice(SliceQuery query) {
        return slices(List.of(query)).map(slices -> slices.get(0));
    }

    /** Reads a slice without upkeep, and does something else in the same time; empty if the store does not answer. */
    public Optional<Slice> slice(SliceQuery query, Runnable meanwhile) {
        return Optional.ofNullable(breaker.ask(() -> inbox.sendSlice(List.of(query)), meanwhile))
                .map(slices -> slices.get(0));
    }

    /** Reads slices without upkeep; empty if the inbox store does not answer. */
    public Optional<List<Slice>> slices(List<SliceQuery> queries) {
        return Optional.ofNullable(breaker.ask(() -> inbox.slice(queries)));
    }

    /** Counts entries; empty if the inbox store does not answer. */
    public Optional<List<Count>> counts(List<CountQuery> queries) {
        return Optional.ofNullable(breaker.ask(() -> inbox.count(queries)));
    }

    /** Counts entries, and does something else in the same time; empty if the inbox store does not answer. */
    public Optional<List<Count>> counts(List<CountQuery> queries, Runnable meanwhile) {
        return Optional.ofNullable(breaker.ask(() -> inbox.sendCount(queries), meanwhile));
    }

    /** As {@link InboxBreaker#permit}. */
    public InboxBreaker.Permit permit() {
        return breaker.permit();
    }

    /**
     * Looks after an inbox whose first slice a page has read. Builds the inbox if there is none. For a first page it
     * also heals an inbox that is known to be wrong, and starts the routine reconciliation from time to time.
     *
     * @param followees the reader's followees, as of a slice
     * @return the slice, read again if the inbox has changed; empty if the inbox store does not answer then
     */
    public Optional<Slice> visit(
            SliceQuery query, Slice slice, boolean firstPage, Function<Slice, FolloweeSet> followees) {
        String reader = query.reader();
        if (slice.state() == State.LIVE && !firstPage) {
            renewed(reader, slice);
            return Optional.of(slice);
        }
        boolean changed = upkeep.attempt(
                reader,
                () -> slice.state() == State.LIVE
                        ? reconciler.healIfDue(reader, slice, () -> followees.apply(slice))
                                || routine.run(reader, slice)
                        : builder.build(reader, false));
        return changed ? slice(query) : Optional.of(slice);
    }

    /**
     * Whether the next first page would reconcile a live inbox before it reads the inbox. Asks no store, and changes
     * nothing.
     *
     * @param followees the followees that the page would use
     */
    public boolean wouldReconcile(String reader, Slice slice, FolloweeSet followees) {
        return slice.state() == State.LIVE
                && !upkeep.isPaused(reader)
                && (reconciler.wouldHeal(reader, slice, followees) || routine.wouldReconcile(reader, slice));
    }

    /**
     * Whether the next page would build an inbox where there is none, for a reader who follows somebody. Asks no store,
     * and changes nothing.
     */
    public boolean wouldBuild(String reader, Slice slice) {
        return slice.state() == State.ABSENT && !upkeep.isPaused(reader) && builder.hasRoom();
    }

    /** Starts a reconciliation of an inbox that is beyond its maximum age, although its reader reads no first page. */
    public void renewed(String reader, Slice slice) {
        if (slice.state() == State.LIVE) {
            boolean unused = upkeep.attempt(reader, () -> routine.runIfOverdue(reader, slice));
        }
    }

    /** Stops the thread that reconciles inboxes. */
    @Override
    public void close() {
        routine.close();
    }
}
