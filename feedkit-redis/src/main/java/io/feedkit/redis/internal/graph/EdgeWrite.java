package io.feedkit.redis.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;

/**
 * A requested change of an edge.
 *
 * @param edge the edge
 * @param desired the state that the edge should have
 * @param above a version that the version of the change must exceed
 */
record EdgeWrite(Edge edge, DesiredState desired, long above) {

    enum DesiredState {
        PRESENT("+"),
        ABSENT("-"),
        /** The present state, which is applied on the author's side again. */
        AS_IT_IS("=");

        private final String letter;

        DesiredState(String letter) {
            this.letter = letter;
        }

        String letter() {
            return letter;
        }
    }
}
