/**
 * The log of fan-out tasks in SQL. Read {@link io.feedkit.jdbc.internal.log.JdbcFanoutLog} first. A task is one row.
 * The columns {@code due_at}, {@code unsettled_at} and {@code forget_at} are null when they do not apply, so that the
 * index of each query contains only its rows. Notifications of other processes' tasks, if they
 * are on, arrive through {@link io.feedkit.jdbc.internal.notification.NotificationListener}; they need PostgreSQL.
 */
@NullMarked
package io.feedkit.jdbc.internal.log;

import org.jspecify.annotations.NullMarked;
