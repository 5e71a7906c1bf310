/**
 * The log of fan-out tasks in SQL. Read {@link io.feedkit.jdbc.internal.log.JdbcFanoutLog} first. A task is one row; what it may be claimed by, settles and is
 * forgotten by are columns of their own that are null when they do not apply, so that each question has an index of exactly the rows it is about.
 * {@link io.feedkit.jdbc.internal.log.NotificationListener} hears of tasks of other processes, on PostgreSQL and if it is asked to.
 */
@NullMarked
package io.feedkit.jdbc.internal.log;

import org.jspecify.annotations.NullMarked;
