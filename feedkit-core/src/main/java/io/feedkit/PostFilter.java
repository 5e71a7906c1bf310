package io.feedkit;

import java.util.Collection;
import java.util.List;

/**
 * Decides which posts a reader may see: mutes, blocks, visibility. The filter is applied whenever a feed is read, to
 * pushed and pulled posts alike, and never when posts are delivered. So a changed decision takes effect at once, in
 * both directions.
 *
 * <p>A filter must decide each post independently of the others. The size and the contents of a batch depend on the
 * page size, the direction, and the posts hidden before. A filter that used them would show different feeds to
 * different requests.
 *
 * <p>The filter is called with batches, on the reading thread, and must be safe for use by many threads. If it throws,
 * the read throws a {@link CallbackException}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PostFilter {

    /**
     * Chooses what a reader may see.
     *
     * @param reader the reader
     * @param posts some posts, newest first
     * @return the posts that may be shown; posts that are not in {@code posts} are ignored
     */
    Collection<Post> visible(String reader, List<Post> posts);
}
