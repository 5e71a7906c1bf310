/**
 * The events that an engine reports to its host. Read {@link io.feedkit.event.FeedListener} first. Metrics, tracing and
 * live updates are built on it.
 */
@NullMarked
package io.feedkit.event;

import org.jspecify.annotations.NullMarked;
