/**
 * Notifications of PostgreSQL: LISTEN and NOTIFY. They wake workers, and carry the messages of the live bus. Read
 * {@link io.feedkit.jdbc.internal.notification.NotificationListener} first.
 */
@NullMarked
package io.feedkit.jdbc.internal.notification;

import org.jspecify.annotations.NullMarked;
