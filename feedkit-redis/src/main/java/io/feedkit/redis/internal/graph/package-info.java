/**
 * The follow graph in Redis. Read {@link io.feedkit.redis.internal.graph.EdgeWriter} first: it shows how the two sides
 * of an edge are kept consistent. Each step is a script among the resources ({@code feedkit-redis/graph/*.lua}), and
 * {@code docs/reference/redis-format.md} has the format.
 */
@NullMarked
package io.feedkit.redis.internal.graph;

import org.jspecify.annotations.NullMarked;
