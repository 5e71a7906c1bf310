package io.feedkit.testkit.internal.graph;

import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FollowCounts;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import io.feedkit.testkit.internal.Race;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Edges and counts with concurrent writers. */
@Tag("concurrency")
public abstract class GraphConcurrencyRules extends GraphRules {

    private final WritableGraphKit writableKit;
    private WritableFollowGraph writable;

    protected GraphConcurrencyRules(WritableGraphKit kit) {
        super(kit);
        this.writableKit = kit;
    }

    @BeforeEach
    void openWritableGraph() {
        writable = writableKit.graph();
    }

    private FollowCounts counts(String user) {
        return graph.counts(List.of(user)).getOrDefault(user, new FollowCounts(0, 0));
    }

    @Test
    @DisplayName("concurrent writers of the same edges add each once, and remove each once")
    void sameEdges() {
        List<Edge> edges =
                ids(100).stream().map(reader -> new Edge(reader, "bob")).toList();
        List<Long> added = Race.run(
                writableKit.threads(),
                thread -> shuffled(edges, thread).stream()
                        .filter(edge -> writable.add(List.of(edge)).get(0))
                        .count());
        assertThat(added.stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
        assertThat(followers("bob")).isEqualTo(ids(100));
        assertThat(counts("bob").followers()).isEqualTo(100);
        List<Long> removed = Race.run(
                writableKit.threads(),
                thread -> shuffled(edges, thread).stream()
                        .filter(edge -> writable.remove(List.of(edge)).get(0))
                        .count());
        assertThat(removed.stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
        assertThat(followers("bob")).isEmpty();
        assertThat(counts("bob").followers()).isZero();
    }

    @Test
    @DisplayName("concurrent writers of different edges lose none, and all edges are counted")
    void differentEdges() {
        List<String> readers = ids(50 * writableKit.threads());
        Race.run(writableKit.threads(), thread -> {
            readers.subList(thread * 50, thread * 50 + 50)
                    .forEach(reader -> writable.add(List.of(new Edge(reader, "bob"), new Edge("bob", reader))));
            return true;
        });
        assertThat(followers("bob")).isEqualTo(readers);
        assertThat(followees("bob")).isEqualTo(readers);
        assertThat(counts("bob")).isEqualTo(new FollowCounts(readers.size(), readers.size()));
    }

    @Test
    @DisplayName("after concurrent adds and removals, counts, followers and followees agree")
    void agree() {
        List<String> users = ids(6);
        Race.run(writableKit.threads(), thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 200; i++) {
                Edge edge = new Edge(users.get(random.nextInt(6)), users.get(random.nextInt(6)));
                if (random.nextBoolean()) {
                    writable.add(List.of(edge));
                } else {
                    writable.remove(List.of(edge));
                }
            }
            return true;
        });
        for (String user : users) {
            assertThat(counts(user))
                    .isEqualTo(new FollowCounts(
                            followers(user).size(), followees(user).size()));
            assertThat(followees(user))
                    .isEqualTo(users.stream()
                            .filter(author -> followers(author).contains(user))
                            .toList());
            assertThat(graph.followed(user, users)).containsExactlyInAnyOrderElementsOf(followees(user));
        }
    }

    @Test
    @DisplayName("an edge is either redirected or removed, by one of many callers, and a removed one leads nowhere")
    void redirectAgainstRemove() {
        List<String> readers = ids(100);
        follow("bob", readers);
        List<Long> changed = Race.run(
                writableKit.threads(),
                thread -> shuffled(readers, thread).stream()
                        .map(reader -> List.of(new Edge(reader, "bob")))
                        .filter(edge -> thread % 2 == 0
                                ? writable.redirect(edge, "eve").contains(Redirection.MOVED)
                                : writable.remove(edge).contains(true))
                        .count());
        assertThat(changed.stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
        long sum = IntStream.iterate(0, thread -> thread < changed.size(), thread -> thread + 2)
                .mapToLong(changed::get)
                .sum();
        assertThat(followers("bob")).isEmpty();
        assertThat(followers("eve")).hasSize((int) sum);
        assertThat(counts("bob").followers()).isZero();
        assertThat(counts("eve").followers()).isEqualTo(sum);
        for (String reader : readers) {
            assertThat(followees(reader)).isEqualTo(followers("eve").contains(reader) ? List.of("eve") : List.of());
        }
    }

    @Test
    @DisplayName("a walk meets every follower who stays, once and in order, while others follow and unfollow")
    void walkAmidWrites() {
        List<String> staying = ids(200);
        follow("bob", staying);
        List<String> guests =
                shuffled(staying, 1).stream().map(reader -> reader + "-guest").toList();
        Race.beside(
                20,
                20,
                step -> {
                    List<Edge> edge = List.of(new Edge(guests.get(step / 2), "bob"));
                    assertThat(step % 2 == 0 ? writable.add(edge) : writable.remove(edge))
                            .containsExactly(true);
                },
                look -> {
                    List<String> walked = walk(20, after -> page(graph, "bob", KeyRange.ALL, after, 20));
                    assertThat(walked).isSorted().doesNotHaveDuplicates();
                    assertThat(walked.stream().filter(staying::contains)).isEqualTo(staying);
                });
    }
}
