/**
 * The log of fan-out tasks in SQL. Read {@link io.feedkit.jdbc.internal.log.JdbcFanoutLog} first. A task is one row.
 * The times at which a task is due, unsettled and forgotten are columns that are null when they do not apply, so that
 * each query has an index of exactly its rows. {@link io.feedkit.jdbc.internal.log.NotificationListener} receives
 * notifications of other processes' tasks, on PostgreSQL and if they are on.
 */
@NullMarked
package io.feedkit.jdbc.internal.log;

import org.jspecify.annotations.NullMarked;
