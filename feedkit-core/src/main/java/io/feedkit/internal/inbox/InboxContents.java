package io.feedkit.internal.inbox;

import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Optional;

/** Reads inboxes as a whole, and compares them with the outboxes. Changes nothing. Thread-safe. */
public final class InboxContents {

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FolloweeCache followeeCache;

    public InboxContents(EngineSettings settings, Inbox inbox, Outbox outbox, FolloweeCache followeeCache) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.followeeCache = followeeCache;
    }

    /**
     * What a comparison found.
     *
     * @param differences how a live inbox differs; empty if it is not live
     */
    public record Compared(FolloweeSet followees, Optional<InboxDifferences> differences) {}

    /** All entries that the readers' inboxes serve. */
    public List<Slice> slices(List<String> readers) {
        return slices(readers, settings.inboxes().limits().cap());
    }

    /** All entries that a reader's inbox serves. */
    public Slice slice(String reader) {
        return slices(List.of(reader)).get(0);
    }

    /** The state of a reader's inbox, with its newest entry. */
    public Slice state(String reader) {
        return slices(List.of(reader), 1).get(0);
    }

    private List<Slice> slices(List<String> readers, int limit) {
        return inbox.slice(readers.stream()
                .map(reader -> new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, limit, false))
                .toList());
    }

    /** Whether an inbox serves as many entries as it may. It may store further entries below. */
    boolean isFull(Slice slice) {
        return slice.posts().size() >= settings.inboxes().limits().cap();
    }

    /** The mark of inboxes that are compared with the outboxes from now on. */
    long mark() {
        return outbox.settledMark();
    }

    /**
     * Compares an inbox. The followees are loaded after the slice was read. Otherwise they might lack a followee whose
     * entries the slice holds, and a refresh would purge these entries under an epoch that is still valid.
     *
     * @param slice all entries that the inbox serves
     */
    public Compared compare(String reader, Slice slice) {
        FolloweeSet followees = followeeCache.load(reader);
        return new Compared(
                followees,
                slice.state() == State.LIVE
                        ? Optional.of(InboxDifferences.of(
                                outbox,
                                slice,
                                followees.authors(),
                                settings.inboxes().limits()))
                        : Optional.empty());
    }
}
