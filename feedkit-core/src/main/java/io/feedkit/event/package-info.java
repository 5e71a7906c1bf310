/**
 * The events that an engine reports to its host. Read {@link io.feedkit.event.FeedListener} first. Metrics, tracing and
 * live updates use it.
 *
 * <p>Engines make the events. Their factories and builders are public for tests of listeners. An event may get more
 * values in later versions; a builder leaves them zero, empty or false.
 */
@NullMarked
package io.feedkit.event;

import org.jspecify.annotations.NullMarked;
