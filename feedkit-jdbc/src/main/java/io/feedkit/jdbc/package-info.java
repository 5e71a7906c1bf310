/**
 * Feeds kept in a SQL database: H2, PostgreSQL, MySQL or MariaDB. {@code JdbcFeedStore} is the door; {@link io.feedkit.jdbc.JdbcSchema} makes the
 * tables, and {@link io.feedkit.jdbc.JdbcTransaction} lets a post be published in a transaction of the host's.
 */
@NullMarked
package io.feedkit.jdbc;

import org.jspecify.annotations.NullMarked;
