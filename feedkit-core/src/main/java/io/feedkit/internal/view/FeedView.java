package io.feedkit.internal.view;

import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.inbox.InboxBreaker.Permit;
import java.util.Optional;
import java.util.Set;

/**
 * A feed at one moment. If the inbox is live, the registration of its authors is that of before the inbox was read. So
 * each of their posts is in the inbox, or is registered, or had not been pushed yet; and a deleted post is registered,
 * or has left the inbox. Immutable, but for the permit.
 *
 * @param register the registration of the followees, and perhaps of others; in a count's view without a live inbox,
 *     perhaps of others alone
 * @param inbox what the inbox contributes
 * @param followees the authors of the feed, as of the follow epoch of the inbox
 * @param permit the permit to read without the inbox, if its store does not answer
 */
public record FeedView(RegisterView register, InboxPart inbox, FolloweeSet followees, Optional<Permit> permit)
        implements AutoCloseable {

    FeedView(RegisterView register, InboxPart inbox, FolloweeSet followees) {
        this(register, inbox, followees, Optional.empty());
    }

    /** The authors of the feed. */
    public Set<String> authors() {
        return followees.authors();
    }

    public boolean isLive() {
        return inbox instanceof InboxPart.Live;
    }

    /** The follow epoch of the followees; 0 if it is not known, or if they may change under the same epoch. */
    long epoch() {
        return inbox.pending().isEmpty() ? inbox.epoch() : 0;
    }

    /** Releases the permit, which all views of a walk share. */
    @Override
    public void close() {
        permit.ifPresent(Permit::close);
    }
}
