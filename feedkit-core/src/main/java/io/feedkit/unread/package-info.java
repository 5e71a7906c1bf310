/**
 * Unread counts by type, conversations, announcements and red dots. They do not use an engine, and work on any
 * {@link io.feedkit.spi.counter.CounterStore}. For the unread posts of a feed, see
 * {@link io.feedkit.FeedEngine#unread(String)}.
 *
 * <p>An unread count is always a sequence minus a mark. A mark only rises, and never beyond its sequence. So no count
 * is ever negative, and devices may report in any order.
 */
@NullMarked
package io.feedkit.unread;

import org.jspecify.annotations.NullMarked;
