/**
 * The follow graph in SQL. Read {@link io.feedkit.jdbc.internal.graph.JdbcFollowGraph} first; {@code EdgeWriter}
 * describes how edges and counts stay consistent.
 */
@NullMarked
package io.feedkit.jdbc.internal.graph;

import org.jspecify.annotations.NullMarked;
