/**
 * Keeps inboxes consistent: {@link io.feedkit.internal.inbox.InboxBuilder} builds them,
 * {@link io.feedkit.internal.inbox.InboxReconciler} compares them with the outboxes,
 * {@link io.feedkit.internal.inbox.Follows} makes them agree with the follow graph.
 */
@NullMarked
package io.feedkit.internal.inbox;

import org.jspecify.annotations.NullMarked;
