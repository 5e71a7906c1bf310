/**
 * The follow graph in SQL. Read {@link io.feedkit.jdbc.internal.graph.JdbcFollowGraph} first; {@code EdgeWriter} says
 * how edges and counts stay together.
 */
@NullMarked
package io.feedkit.jdbc.internal.graph;

import org.jspecify.annotations.NullMarked;
