package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.event.FollowChanged;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Follow and unfollow, in an order that stays right whatever happens in between.
 *
 * <p><b>Follow</b>: note the author as pending (from now on readers load their followees afresh and merge the author's outbox), add the edge, purge what the
 * inbox still holds of the author from an earlier time, backfill down to the floor, end the note. The end succeeds only if the note is still the one that was
 * made; if another follow or unfollow came in between, all but the edge is done again. A crash leaves the note, and so a right if slower feed.
 *
 * <p><b>Unfollow</b>: note the author, too, so that nobody remembers the followees while the edge goes; remove the edge; end the note with a new epoch (every engine
 * loads the followees afresh and hides the author); make sure that no new follow has added the edge again before that; purge the entries under that epoch: if the
 * epoch moves on, a new follow may own them, and the purge does nothing. A crash leaves the note, which the next refresh ends. Thread-safe.
 */
public final class Follows {

    private static final int BACKFILL_PAGE = 200;

    /** How often a follow starts over when others follow and unfollow the same author at the same moment, before it leaves the note to them. */
    private static final int ATTEMPTS = 100;

    private final Parts parts;

    public Follows(Parts parts) {
        this.parts = parts;
    }

    /** Follows, with whatever adds the edge. */
    public boolean follow(String reader, String author, BooleanSupplier addEdge) {
        long token = parts.inbox().beginFollow(reader, author);
        boolean added = addEdge.getAsBoolean();
        complete(reader, author, token);
        if (added) {
            parts.events().tell(listener -> listener.followChanged(new FollowChanged(reader, author, true)));
        }
        return added;
    }

    /** Does all that follows the edge. */
    void complete(String reader, String author) {
        complete(reader, author, parts.inbox().beginFollow(reader, author));
    }

    private void complete(String reader, String author, long begun) {
        long token = begun;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            boolean done = parts.inbox().purge(reader, author, token)
                    && backfill(reader, author)
                    && parts.inbox().endFollow(reader, author, token);
            if (done) {
                return;
            }
            token = parts.inbox().beginFollow(reader, author);
        }
    }

    /** Unfollows, with whatever removes the edge. */
    public boolean unfollow(String reader, String author, BooleanSupplier removeEdge) {
        parts.inbox().beginFollow(reader, author);
        boolean removed = removeEdge.getAsBoolean();
        long epoch = parts.inbox().recordUnfollow(reader, author);
        if (parts.graph().followed(reader, List.of(author)).isEmpty()) {
            parts.inbox().purge(reader, author, epoch);
        }
        if (removed) {
            parts.events().tell(listener -> listener.followChanged(new FollowChanged(reader, author, false)));
        }
        return removed;
    }

    /**
     * Inserts the author's posts down to the floor; false if the inbox changed under its hands. When an inbox full of them has been inserted the rest cannot
     * matter, and the floor is raised to where it stopped. It is raised to where this view shows it in any case: entries stored below that would otherwise be
     * served again when one above goes, without the author's.
     */
    private boolean backfill(String reader, String author) {
        int enough = parts.settings().limits().stored() + 1;
        Position below = Position.HIGHEST;
        for (int inserted = 0; inserted < enough; inserted += BACKFILL_PAGE) {
            Slice slice = state(reader);
            Position floor = slice.state() == State.LIVE ? slice.floor() : Position.LOWEST;
            PositionRange rest = new PositionRange(floor, below);
            if (slice.state() == State.ABSENT || rest.isEmpty()) {
                return true;
            }
            List<Post> posts =
                    parts.outbox().newest(List.of(author), rest, BACKFILL_PAGE).get(0);
            if (posts.isEmpty() && floor.equals(Position.LOWEST)) {
                return true;
            }
            below = posts.isEmpty() ? below : Position.of(posts.get(posts.size() - 1));
            boolean last = posts.size() == BACKFILL_PAGE && inserted + BACKFILL_PAGE >= enough;
            if (!parts.inbox().merge(reader, slice.generation(), posts, last ? below : floor)) {
                return false;
            }
            Tombstones.retractDeleted(parts, reader, posts);
            if (posts.size() < BACKFILL_PAGE) {
                return true;
            }
        }
        return true;
    }

    private Slice state(String reader) {
        return parts.inbox()
                .slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false)))
                .get(0);
    }
}
