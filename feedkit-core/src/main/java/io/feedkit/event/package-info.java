/**
 * What an engine tells its host while it works. {@link io.feedkit.event.FeedListener} is the door; metrics, tracing and
 * live updates hang here.
 */
@NullMarked
package io.feedkit.event;

import org.jspecify.annotations.NullMarked;
