/**
 * Feeds in a SQL database: H2, PostgreSQL, MySQL or MariaDB. Start with {@code JdbcFeedStore}.
 * {@link io.feedkit.jdbc.JdbcSchema} creates the tables, and {@link io.feedkit.jdbc.JdbcTransaction} lets a host
 * publish a post in its own transaction.
 */
@NullMarked
package io.feedkit.jdbc;

import org.jspecify.annotations.NullMarked;
