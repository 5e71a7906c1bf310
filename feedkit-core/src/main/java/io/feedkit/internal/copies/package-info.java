/**
 * Copies of inboxes: made while a reader is active, and used to build the inbox of a reader who comes back. A copy is
 * what the outboxes had at a mark. So it is right, if old, whatever the inbox was; and it is caught up from its own
 * mark before it is used.
 */
@NullMarked
package io.feedkit.internal.copies;

import org.jspecify.annotations.NullMarked;
