package io.feedkit.bench.redis.scripts;

import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.stream.IntStream;

/** Calls about followers and followees. */
final class FollowGraphCalls {

    private static final int FOLLOWERS = 20_000;
    private static final int EDGES = 500;
    private static final int PAGE = 5000;
    private static final String AUTHOR = "author";

    private final SlowLog log;
    private final WritableFollowGraph graph;

    FollowGraphCalls(SlowLog log, WritableFollowGraph graph) {
        this.log = log;
        this.graph = graph;
    }

    void make(int times) {
        IntStream.range(0, FOLLOWERS / EDGES).forEach(n -> graph.add(edges(n)));
        List<FollowerQuery> query = List.of(new FollowerQuery(AUTHOR, KeyRange.ALL, "", PAGE));
        List<String> users =
                IntStream.range(0, EDGES).mapToObj(MadeUpGraph::user).toList();
        for (int n = 0; n < times; n++) {
            List<Edge> edges = edges(FOLLOWERS / EDGES + n);
            log.of("500 edges of an author added, 100 at a time", () -> graph.add(edges));
            log.of("500 edges of an author removed, 100 at a time", () -> graph.remove(edges));
            log.of("a page of 5000 followers", () -> graph.followers(query));
            log.of("500 users' counts", () -> graph.counts(users));
            log.of("an author's followers split into 64", () -> graph.split(AUTHOR, 64));
        }
    }

    private static List<Edge> edges(int n) {
        return IntStream.range(n * EDGES, (n + 1) * EDGES)
                .mapToObj(i -> new Edge(MadeUpGraph.user(i), AUTHOR))
                .toList();
    }
}
