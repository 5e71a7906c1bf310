package io.feedkit;

import java.util.List;
import java.util.Map;

/**
 * Loads the content of posts. It is called with batches, on the reading thread, and must be safe for use by many
 * threads if the engine is. What it throws reaches the reader as a {@link CallbackException}.
 *
 * @param <T> the host's content
 */
@FunctionalInterface
public interface PostLoader<T> {

    /**
     * Loads content.
     *
     * @param posts some posts, newest first
     * @return the content of those that still have any; the others drop out of the page, which is filled up
     */
    Map<Post, T> load(List<Post> posts);
}
