/**
 * Keeps inboxes consistent: {@link io.feedkit.internal.inbox.InboxBuilder} builds them,
 * {@link io.feedkit.internal.inbox.InboxReconciler} decides when they are compared with the outboxes
 * ({@link io.feedkit.internal.inbox.InboxContents}) and repaired ({@link io.feedkit.internal.inbox.InboxRepair}), and
 * {@link io.feedkit.internal.inbox.Follows} makes them agree with the follow graph.
 */
@NullMarked
package io.feedkit.internal.inbox;

import org.jspecify.annotations.NullMarked;
