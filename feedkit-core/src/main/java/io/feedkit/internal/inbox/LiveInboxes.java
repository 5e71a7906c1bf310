package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads slices of inboxes for pages. A visit builds the reader's inbox first if there is none, and reconciles it if
 * that is due. Thread-safe.
 */
public final class LiveInboxes {

    /**
     * What is known of an inbox that cannot be asked. It reaches nothing, and says nothing about the reader's
     * followees.
     */
    public static final Slice UNREACHABLE = new Slice(State.ABSENT, List.of(), Position.HIGHEST, -1, 0, 0, 0, Set.of());

    private final Inbox inbox;
    private final InboxBreaker breaker;
    private final InboxBuilder builder;
    private final InboxReconciler reconciler;
    private final InboxUpkeep upkeep;

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
    }

    /** Reads a slice as it is; one that reaches nothing if the inbox store is down. */
    public Slice slice(SliceQuery query) {
        Slice slice = breaker.ask(() -> inbox.slice(List.of(query)).get(0));
        return slice == null ? UNREACHABLE : slice;
    }

    /**
     * Reads the first slice of a page, after seeing to it that there is an inbox, and on a first page from time to time
     * that it is whole.
     *
     * @param followees whom the reader follows, as of a slice
     */
    public Slice visit(SliceQuery query, boolean firstPage, Function<Slice, FolloweeSet> followees) {
        Slice slice = slice(query);
        if (slice.equals(UNREACHABLE) || (slice.state() == State.LIVE && !firstPage)) {
            return slice;
        }
        String reader = query.reader();
        boolean changed = upkeep.attempt(
                reader,
                () -> slice.state() == State.LIVE
                        ? reconciler.reconcileIfDue(reader, slice, () -> followees.apply(slice))
                        : builder.build(reader, false));
        return changed ? slice(query) : slice;
    }
}
