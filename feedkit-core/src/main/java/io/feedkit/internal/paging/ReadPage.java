package io.feedkit.internal.paging;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a walk over a feed for one page, before cursors are made.
 *
 * @param items the items that the page shows, newest first
 * @param posts the posts of the items, newest first
 * @param resume the position from which the walk can continue in its direction: that of the last item shown, or the end
 *     of the last millisecond scanned if the page broke off; absent at the end
 * @param beyondInbox whether later pages of the walk must be read from the outboxes
 * @param caveats why the page may be incomplete or stale
 * @param hides whether posts were left out because the host's filter hid them, or the loader had no content for them
 */
public record ReadPage<T>(
        List<T> items,
        List<Post> posts,
        Optional<Position> resume,
        boolean beyondInbox,
        Set<Caveat> caveats,
        boolean hides) {

    /** The position of the lowest item, if there is one. */
    public Optional<Position> lowest() {
        return posts.isEmpty() ? Optional.empty() : Optional.of(Position.of(posts.get(posts.size() - 1)));
    }

    /** The position of the highest item, if there is one. */
    public Optional<Position> highest() {
        return posts.isEmpty() ? Optional.empty() : Optional.of(Position.of(posts.get(0)));
    }
}
