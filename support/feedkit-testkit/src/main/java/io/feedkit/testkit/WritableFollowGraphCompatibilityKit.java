package io.feedkit.testkit;

import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.internal.graph.GraphConcurrencyRules;
import io.feedkit.testkit.internal.graph.GraphEdgeRules;
import io.feedkit.testkit.internal.graph.WritableGraphKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link WritableFollowGraph} as tests, in addition to the tests for reading.
 *
 * @since 0.1.0
 */
public abstract class WritableFollowGraphCompatibilityKit extends FollowGraphCompatibilityKit {

    /** For leaf tests. */
    protected WritableFollowGraphCompatibilityKit() {}

    @Override
    protected abstract WritableFollowGraph graph();

    @Override
    protected void follow(List<Edge> edges) {
        graph().add(edges);
    }

    @Override
    protected void unfollow(List<Edge> edges) {
        graph().remove(edges);
    }

    /**
     * How many threads race in tests of atomicity.
     *
     * @return 4, unless overridden
     */
    protected int threads() {
        return 4;
    }

    /** This kit as its rules see it. */
    private final class WritableView extends View implements WritableGraphKit {

        @Override
        public WritableFollowGraph graph() {
            return WritableFollowGraphCompatibilityKit.this.graph();
        }

        @Override
        public int threads() {
            return WritableFollowGraphCompatibilityKit.this.threads();
        }
    }

    @Nested
    @DisplayName("Writing")
    class Writing extends GraphEdgeRules {
        Writing() {
            super(new WritableView());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends GraphConcurrencyRules {
        Concurrency() {
            super(new WritableView());
        }
    }
}
