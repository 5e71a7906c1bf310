package io.feedkit.testkit;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.internal.graph.ConvertedIds;
import io.feedkit.testkit.internal.graph.GraphFolloweeRules;
import io.feedkit.testkit.internal.graph.GraphFollowerRules;
import io.feedkit.testkit.internal.graph.GraphKit;
import io.feedkit.testkit.internal.graph.GraphSizeRules;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link FollowGraph} as tests, for a host's own graph. The leaf test says how to write to it. For a
 * graph that FeedKit writes, use {@link WritableFollowGraphCompatibilityKit}, which includes these tests.
 *
 * @since 0.1.0
 */
public abstract class FollowGraphCompatibilityKit {

    /** For leaf tests. */
    protected FollowGraphCompatibilityKit() {}

    /**
     * Returns the graph under test. Every test expects an empty one.
     *
     * @return the graph, the same within a test
     */
    protected abstract FollowGraph graph();

    /**
     * Writes edges.
     *
     * @param edges edges that do not exist
     */
    protected abstract void follow(List<Edge> edges);

    /**
     * Removes edges.
     *
     * @param edges edges that exist
     */
    protected abstract void unfollow(List<Edge> edges);

    /** The ids of users that a graph can have. */
    public enum UserIds {
        /** Any ids. */
        TEXT,
        /** Whole numbers of 64 bits, in decimal. */
        NUMBERS,
        /** UUIDs, in lower case. */
        UUIDS
    }

    /**
     * The ids that the graph under test can hold. The tests use other ids only for users without edges.
     *
     * @return any, unless overridden
     */
    protected UserIds userIds() {
        return UserIds.TEXT;
    }

    /** This kit as its rules see it. */
    class View implements GraphKit {

        private final ConvertedIds ids = switch (userIds()) {
            case TEXT -> ConvertedIds.NONE;
            case NUMBERS -> ConvertedIds.numbers();
            case UUIDS -> ConvertedIds.uuids();
        };

        @Override
        public FollowGraph graph() {
            return ids.named(FollowGraphCompatibilityKit.this.graph());
        }

        @Override
        public void follow(List<Edge> edges) {
            FollowGraphCompatibilityKit.this.follow(
                    edges.stream().map(ids::edge).toList());
        }

        @Override
        public void unfollow(List<Edge> edges) {
            FollowGraphCompatibilityKit.this.unfollow(
                    edges.stream().map(ids::edge).toList());
        }
    }

    @Nested
    @DisplayName("Followers")
    class Followers extends GraphFollowerRules {
        Followers() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Followees")
    class Followees extends GraphFolloweeRules {
        Followees() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Counts and ranges")
    class Sizes extends GraphSizeRules {
        Sizes() {
            super(new View());
        }
    }
}
