package io.feedkit;

import java.util.List;
import java.util.Map;

/**
 * Loads the content of posts. The loader is called with batches, on the reading thread. If several threads read with
 * one loader, it must be safe for use by many threads. If it throws, the read throws a {@link CallbackException}.
 *
 * @param <T> the host's content
 * @since 0.1.0
 */
@FunctionalInterface
public interface PostLoader<T> {

    /**
     * Loads content.
     *
     * @param posts some posts, newest first
     * @return the content of the posts that still have content. The page leaves out the others, and is filled with
     *     further posts
     */
    Map<Post, T> load(List<Post> posts);
}
