/**
 * The numbers beside everything: unread counts by type, conversations, announcements and red dots. They know no engine,
 * and work on any {@link io.feedkit.spi.counter.CounterStore}.
 *
 * <p>Unread is always a sequence less a mark. A mark only rises, and never beyond its sequence, so nothing is ever
 * negative, and devices may report in any order.
 */
@NullMarked
package io.feedkit.unread;

import org.jspecify.annotations.NullMarked;
