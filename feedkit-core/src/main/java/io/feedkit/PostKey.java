package io.feedkit;

import io.feedkit.internal.check.Ids;

/**
 * The identity of a post. Two authors may use the same id for different posts.
 *
 * @param author the author's user id
 * @param id the post's id, unique for the author
 * @since 0.1.0
 */
public record PostKey(String author, String id) {

    /**
     * Checks the ids.
     *
     * @throws IllegalArgumentException if an id is not 1 to 64 visible ASCII characters
     */
    public PostKey {
        Ids.require("author", author);
        Ids.require("id", id);
    }
}
