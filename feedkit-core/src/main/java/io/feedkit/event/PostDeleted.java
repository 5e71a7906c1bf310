package io.feedkit.event;

import io.feedkit.PostKey;

/**
 * A post was deleted.
 *
 * @param post the post
 */
public record PostDeleted(PostKey post) {}
