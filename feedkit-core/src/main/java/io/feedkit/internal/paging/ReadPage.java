package io.feedkit.internal.paging;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a walk over a feed found for one page, before cursors are made of it.
 *
 * @param items what the page shows, newest first
 * @param posts whose content that is, newest first
 * @param resume where the walk can go on in its direction: the last place shown, or the end of the last millisecond
 *     looked at if the page broke off; absent at the end
 * @param caveats in what respect the page may not show all that it should
 */
public record ReadPage<T>(List<T> items, List<Post> posts, Optional<Position> resume, Set<Caveat> caveats) {

    /** The place of the lowest item, if there is one. */
    public Optional<Position> lowest() {
        return posts.isEmpty() ? Optional.empty() : Optional.of(Position.of(posts.get(posts.size() - 1)));
    }

    /** The place of the highest item, if there is one. */
    public Optional<Position> highest() {
        return posts.isEmpty() ? Optional.empty() : Optional.of(Position.of(posts.get(0)));
    }
}
