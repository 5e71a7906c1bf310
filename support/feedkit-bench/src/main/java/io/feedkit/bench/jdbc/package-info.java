/**
 * The suite {@code jdbc}: the SQL store on PostgreSQL, against what a host would write by hand. Start with
 * {@link io.feedkit.bench.jdbc.JdbcSuite}. The code written by hand is in the classes whose names begin with
 * {@code Hand}.
 */
@NullMarked
package io.feedkit.bench.jdbc;

import org.jspecify.annotations.NullMarked;
