package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.host.HostFollowGraph;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.FollowGraphCompatibilityKit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;

/** The contract of a follow graph on a host's own table, for each type of ids. */
abstract class HostFollowsCompatibilityTest extends FollowGraphCompatibilityKit {

    private record Hosted(HostFollows follows, FollowGraph graph) {}

    private record Key(TestDatabase database, UserIds ids) {}

    /** One graph for each reused database: creating the table and reading its columns takes longer than most tests. */
    private static final Map<Key, Hosted> GRAPHS = new ConcurrentHashMap<>();

    private final TestDatabase database;
    private final UserIds ids;
    private final HostFollows follows;
    private final FollowGraph graph;

    HostFollowsCompatibilityTest(Kind kind, UserIds ids) {
        this.ids = ids;
        database = TestDatabase.lent(kind);
        Hosted hosted = GRAPHS.computeIfAbsent(new Key(database, ids), missing -> hosted(missing, kind));
        follows = hosted.follows();
        graph = hosted.graph();
        follows.execute("DELETE FROM " + follows.table());
    }

    private static Hosted hosted(Key key, Kind kind) {
        HostFollows follows = HostFollows.create(key.database(), kind, key.ids());
        return new Hosted(follows, HostFollowGraph.of(key.database().database(), follows.mapping()));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected UserIds userIds() {
        return ids;
    }

    @Override
    protected FollowGraph graph() {
        return graph;
    }

    @Override
    protected void follow(List<Edge> edges) {
        follows.insert(edges);
    }

    @Override
    protected void unfollow(List<Edge> edges) {
        follows.delete(edges);
    }
}
