package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FollowCounts;
import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

@Tag("concurrency")
class FollowCountsTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 40;
    private static final int USERS = 12;

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("counts match the edges after any concurrent changes, and users without edges have no row")
    void countsDoNotDrift(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Database database = test.database();
            WritableFollowGraph graph = new JdbcFollowGraph(database);
            long net = race(graph);
            List<Edge> left = edges(database);
            assertThat(left).hasSize((int) net);
            assertThat(stored(database)).isEqualTo(counted(left));
            graph.remove(left);
            assertThat(stored(database)).isEmpty();
        }
    }

    private static long race(WritableFollowGraph graph) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Long>> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(t);
                writers.add(() -> write(graph, random));
            }
            long net = 0;
            for (Future<Long> writer : threads.invokeAll(writers)) {
                net += writer.get();
            }
            return net;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long write(WritableFollowGraph graph, Random random) {
        long net = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Edge> batch = random.ints(1L + random.nextInt(20), 0, USERS * USERS)
                    .mapToObj(n -> new Edge("u" + n / USERS, "u" + n % USERS))
                    .toList();
            boolean adds = random.nextInt(5) < 3;
            List<Boolean> answers = adds ? graph.add(batch) : graph.remove(batch);
            assertThat(answers).hasSameSizeAs(batch);
            long effective = answers.stream().filter(Boolean::booleanValue).count();
            net += adds ? effective : -effective;
        }
        return net;
    }

    private static List<Edge> edges(Database database) {
        return database.read(
                "test",
                handle -> handle.createQuery(database.sql("SELECT reader, author FROM ${follow}"))
                        .map((row, context) -> new Edge(row.getString(1), row.getString(2)))
                        .list());
    }

    private static Map<String, FollowCounts> stored(Database database) {
        Map<String, FollowCounts> counts = new HashMap<>();
        database.read(
                "test",
                handle -> handle.createQuery(database.sql("SELECT user_id, followers, followees FROM ${follow_count}"))
                        .map((row, context) ->
                                counts.put(row.getString(1), new FollowCounts(row.getLong(2), row.getLong(3))))
                        .list());
        return counts;
    }

    private static Map<String, FollowCounts> counted(List<Edge> edges) {
        Map<String, FollowCounts> counts = new HashMap<>();
        for (Edge edge : edges) {
            counts.merge(edge.author(), new FollowCounts(1, 0), FollowCountsTest::sum);
            counts.merge(edge.reader(), new FollowCounts(0, 1), FollowCountsTest::sum);
        }
        return counts;
    }

    private static FollowCounts sum(FollowCounts a, FollowCounts b) {
        return new FollowCounts(a.followers() + b.followers(), a.followees() + b.followees());
    }
}
