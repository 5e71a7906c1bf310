package io.feedkit.redis.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;

/**
 * What is to become of an edge.
 *
 * @param edge the edge
 * @param desired what it is to be
 * @param above the version that the change has to be above
 */
record EdgeWrite(Edge edge, DesiredState desired, long above) {

    enum DesiredState {
        PRESENT("+"),
        ABSENT("-"),
        /** What it is, told to the author again. */
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
