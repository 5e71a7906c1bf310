/**
 * The inboxes in SQL. Read {@link io.feedkit.jdbc.internal.inbox.JdbcInbox} first: it says what the rows mean and what makes a step atomic;
 * {@link io.feedkit.jdbc.internal.inbox.SwiftDelivery} is the hot path.
 */
@NullMarked
package io.feedkit.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
