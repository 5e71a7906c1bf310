package io.feedkit.redis.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;

/**
 * The result of a change on the reader's side.
 *
 * @param edge the edge
 * @param changed whether the state of the edge changed
 * @param present whether the edge exists now
 * @param raced whether an earlier change may still be under way to the author's side
 * @param version a number above those of all earlier changes
 */
record EdgeWriteResult(Edge edge, boolean changed, boolean present, boolean raced, long version) {}
