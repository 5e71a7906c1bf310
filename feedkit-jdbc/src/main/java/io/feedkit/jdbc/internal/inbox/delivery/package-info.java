/**
 * Delivery of posts to inboxes. Read {@link io.feedkit.jdbc.internal.inbox.delivery.InboxDelivery} first;
 * {@code PostgresBulkDelivery} is the hot path.
 */
@NullMarked
package io.feedkit.jdbc.internal.inbox.delivery;

import org.jspecify.annotations.NullMarked;
