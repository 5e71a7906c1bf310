package io.feedkit.redis.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;

/**
 * What became of an edge on its reader's side.
 *
 * @param edge the edge
 * @param changed whether it was otherwise before
 * @param present whether it is there now
 * @param raced whether an earlier change may still be on its way to the author
 * @param version a number above those of all earlier changes
 */
record EdgeWriteResult(Edge edge, boolean changed, boolean present, boolean raced, long version) {}
