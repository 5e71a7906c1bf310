package io.feedkit;

import java.util.Collection;
import java.util.List;

/**
 * The host's say in what a reader sees: mutes, blocks, visibility. It is applied whenever a feed is read, to pushed and pulled posts alike, and never
 * when posts are delivered, so that a change of mind works at once and in both directions.
 *
 * <p>It is called with batches, on the reading thread, and must be safe for use by many threads. What it throws reaches the reader as a
 * {@link CallbackException}.
 */
@FunctionalInterface
public interface PostFilter {

    /**
     * Chooses what a reader may see.
     *
     * @param reader the reader
     * @param posts some posts, in the order of the feed
     * @return those that may be shown; posts that were not asked about are ignored
     */
    Collection<Post> visible(String reader, List<Post> posts);
}
