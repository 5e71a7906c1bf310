package io.feedkit.redis.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;

/**
 * What is to become of an edge.
 *
 * @param edge the edge
 * @param aim what it is to be
 * @param above the version that the change has to be above
 */
record Intent(Edge edge, Aim aim, long above) {

    enum Aim {
        PRESENT("+"),
        ABSENT("-"),
        /** What it is, told to the author again. */
        AS_IT_IS("=");

        private final String letter;

        Aim(String letter) {
            this.letter = letter;
        }

        String letter() {
            return letter;
        }
    }
}
