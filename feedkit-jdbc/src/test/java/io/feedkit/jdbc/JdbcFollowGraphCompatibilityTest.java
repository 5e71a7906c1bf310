package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.WritableFollowGraphCompatibilityKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcFollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final TestDatabase database;
    private final WritableFollowGraph graph;

    JdbcFollowGraphCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        graph = new JdbcFollowGraph(database.database());
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected WritableFollowGraph graph() {
        return graph;
    }
}
