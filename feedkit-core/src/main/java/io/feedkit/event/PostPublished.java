package io.feedkit.event;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;

/**
 * A post was published for the first time.
 *
 * @param post the post
 * @param mode how it reaches its readers
 */
public record PostPublished(Post post, FanoutMode mode) {}
