package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import org.junit.jupiter.api.AfterEach;

class H2FollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final TestDatabase database = TestDatabase.h2();
    private final WritableFollowGraph graph = new JdbcFollowGraph(database.database());

    @AfterEach
    void close() {
        database.close();
    }

    @Override
    protected WritableFollowGraph graph() {
        return graph;
    }
}
