/**
 * The three tables of inboxes. Read {@link io.feedkit.jdbc.internal.inbox.table.InboxTable} first: the row of a reader
 * in the table {@code inbox} is the lock that protects the reader's rows in the other two.
 */
@NullMarked
package io.feedkit.jdbc.internal.inbox.table;

import org.jspecify.annotations.NullMarked;
