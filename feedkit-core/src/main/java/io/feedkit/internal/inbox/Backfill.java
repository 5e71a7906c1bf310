package io.feedkit.internal.inbox;

import io.feedkit.internal.collect.NewestPosts;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Set;

/** Inserts the posts of newly followed authors into inboxes. Thread-safe. */
public final class Backfill {

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final CheckedInserts inserts;

    public Backfill(EngineSettings settings, Inbox inbox, Outbox outbox, CheckedInserts inserts) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.inserts = inserts;
    }

    /**
     * Inserts the authors' posts down to the floor; returns false if the inbox was replaced meanwhile. If the posts
     * fill the inbox, older posts cannot matter, and the floor is raised to the lowest of them. The floor is in any
     * case raised to the one that this view shows. Otherwise entries stored below it would be served again when a
     * higher entry is removed, without the authors' posts there.
     */
    boolean insert(String reader, Set<String> authors) {
        if (authors.isEmpty()) {
            return true;
        }
        Slice slice = state(reader);
        if (slice.state() == State.ABSENT) {
            return true;
        }
        Position floor = slice.state() == State.LIVE ? slice.floor() : Position.LOWEST;
        int enough = settings.inboxes().limits().stored() + 1;
        NewestPosts newest = NewestPosts.collect(outbox, authors, floor, enough);
        if (newest.posts().isEmpty() && newest.floor().equals(Position.LOWEST)) {
            return true;
        }
        return inserts.merge(reader, slice.generation(), newest.posts(), newest.floor());
    }

    private Slice state(String reader) {
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false)))
                .get(0);
    }
}
