package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The follow graph in memory")
class MemoryFollowGraphTest {

    private final MemoryFollowGraph graph = new MemoryFollowGraph();

    @Test
    @DisplayName("keeps both directions and the counts equal while edges come and go in several threads")
    void staysConsistent() throws Exception {
        int users = 6;

        List<Integer> net = Concurrently.run(4, thread -> {
            Random random = new Random(thread);
            int added = 0;
            for (int i = 0; i < 30_000; i++) {
                Edge edge = new Edge("u" + random.nextInt(users), "u" + random.nextInt(users));
                if (random.nextBoolean()) {
                    added += graph.add(List.of(edge)).get(0) ? 1 : 0;
                } else {
                    added -= graph.remove(List.of(edge)).get(0) ? 1 : 0;
                }
            }
            return added;
        });

        Set<Edge> forward = new HashSet<>();
        Set<Edge> backward = new HashSet<>();
        for (int i = 0; i < users; i++) {
            String user = "u" + i;
            List<String> followees = graph.followees(user, "", 100).ids();
            List<String> followers = followers(user, KeyRange.ALL, "", 100).ids();
            followees.forEach(author -> forward.add(new Edge(user, author)));
            followers.forEach(reader -> backward.add(new Edge(reader, user)));
            FollowCounts counts = graph.counts(List.of(user)).getOrDefault(user, new FollowCounts(0, 0));
            assertThat(counts).isEqualTo(new FollowCounts(followers.size(), followees.size()));
        }
        assertThat(forward)
                .isEqualTo(backward)
                .hasSize(net.stream().mapToInt(Integer::intValue).sum());
    }

    @Test
    @DisplayName("forgets users without edges")
    void forgetsLoners() {
        List<Edge> edges = List.of(new Edge("a", "b"), new Edge("b", "a"), new Edge("c", "c"));
        graph.add(edges);
        assertThat(graph.counts(List.of("a", "b", "c"))).hasSize(3);

        graph.remove(edges);

        assertThat(graph.counts(List.of("a", "b", "c"))).isEmpty();
    }

    @Test
    @DisplayName("cuts many followers into equal ranges, and pages each of them to its end")
    void splitsEqually() {
        int followers = 100_000;
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < followers; i++) {
            edges.add(new Edge("reader-" + Integer.toString(i * 31 % followers, 36), "star"));
        }
        graph.add(edges);

        List<KeyRange> ranges = graph.split("star", 7);

        assertThat(ranges).hasSize(7);
        Set<String> seen = new HashSet<>();
        for (KeyRange range : ranges) {
            int size = walk(range, seen);
            assertThat(size).isBetween(followers / 7, followers / 7 + 1);
        }
        assertThat(seen).hasSize(followers);
    }

    @Test
    @DisplayName("cuts few followers into fewer ranges")
    void splitsFew() {
        graph.add(List.of(new Edge("a", "x"), new Edge("b", "x")));

        assertThat(graph.split("x", 5)).containsExactly(new KeyRange("", "b"), new KeyRange("b", KeyRange.END));
        assertThat(graph.split("nobody", 5)).containsExactly(KeyRange.ALL);
    }

    private int walk(KeyRange range, Set<String> seen) {
        int size = 0;
        String after = "";
        boolean more = true;
        while (more) {
            IdPage page = followers("star", range, after, 1_000);
            for (String id : page.ids()) {
                assertThat(range.contains(id)).isTrue();
                assertThat(seen.add(id)).isTrue();
                after = id;
            }
            size += page.ids().size();
            more = page.more();
        }
        return size;
    }

    private IdPage followers(String author, KeyRange range, String after, int limit) {
        return graph.followers(List.of(new FollowerQuery(author, range, after, limit)))
                .get(0);
    }
}
