/**
 * The entry point of FeedKit: the types that a host application needs to publish posts and to read home feeds.
 *
 * <p>Read {@link io.feedkit.FeedEngine} first; {@link io.feedkit.PageRequest} and {@link io.feedkit.FeedPage} explain
 * paging. Fan-out policies are in {@link io.feedkit.fanout}, the embedded store in {@link io.feedkit.memory};
 * {@link io.feedkit.spi} is for people who write backends.
 */
@NullMarked
package io.feedkit;

import org.jspecify.annotations.NullMarked;
