/**
 * Feeds in a SQL database: H2, PostgreSQL, MySQL or MariaDB. Start with {@code JdbcFeedStore}.
 * {@link io.feedkit.jdbc.JdbcSchema} creates the tables, and {@link io.feedkit.jdbc.JdbcTransaction} publishes a post
 * in a transaction of the host's.
 */
@NullMarked
package io.feedkit.jdbc;

import org.jspecify.annotations.NullMarked;
