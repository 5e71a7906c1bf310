package io.feedkit;

import java.util.Collection;
import java.util.List;

/**
 * The host's say in what a reader sees: mutes, blocks, visibility. It is applied whenever a feed is read, to pushed and
 * pulled posts alike, and never when posts are delivered, so that a change of mind works at once and in both
 * directions.
 *
 * <p>It decides each post by itself. How large batches are, and what is in one beside a post, depends on the page size,
 * the direction and what was hidden before; a filter that looked at that would show other feeds for other requests.
 *
 * <p>It is called with batches, on the reading thread, and must be safe for use by many threads. What it throws reaches
 * the reader as a {@link CallbackException}.
 */
@FunctionalInterface
public interface PostFilter {

    /**
     * Chooses what a reader may see.
     *
     * @param reader the reader
     * @param posts some posts, newest first
     * @return those that may be shown; posts that were not asked about are ignored
     */
    Collection<Post> visible(String reader, List<Post> posts);
}
