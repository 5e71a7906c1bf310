package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import java.util.List;
import java.util.function.Function;

/** Reads slices of inboxes for pages. A visit builds the reader's inbox first if there is none, and reconciles it if that is due. Thread-safe. */
public final class LiveInboxes {

    private final Inbox inbox;
    private final InboxBuilder builder;
    private final InboxReconciler reconciler;
    private final InboxUpkeep upkeep;

    public LiveInboxes(EngineSettings settings, Inbox inbox, InboxBuilder builder, InboxReconciler reconciler) {
        this.inbox = inbox;
        this.builder = builder;
        this.reconciler = reconciler;
        this.upkeep = new InboxUpkeep(settings);
    }

    /** Reads a slice as it is. */
    public Slice slice(SliceQuery query) {
        return inbox.slice(List.of(query)).get(0);
    }

    /**
     * Reads the first slice of a page, after seeing to it that there is an inbox, and on a first page from time to time
     * that it is whole.
     *
     * @param followees whom the reader follows, as of a slice
     */
    public Slice visit(SliceQuery query, boolean firstPage, Function<Slice, FolloweeSet> followees) {
        Slice slice = slice(query);
        if (slice.state() == State.LIVE && !firstPage) {
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
