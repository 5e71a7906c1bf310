package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlFollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final TestDatabase database = MySqlDatabase.empty();
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
