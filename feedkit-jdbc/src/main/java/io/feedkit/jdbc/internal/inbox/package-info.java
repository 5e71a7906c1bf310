/**
 * The inboxes in SQL. Read {@link io.feedkit.jdbc.internal.inbox.JdbcInbox} first: it describes the rows, and how
 * operations are atomic. {@code SliceReader} and {@code InboxCounter} read through {@code SnapshotQuery}; deliveries
 * have a package of their own.
 */
@NullMarked
package io.feedkit.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
