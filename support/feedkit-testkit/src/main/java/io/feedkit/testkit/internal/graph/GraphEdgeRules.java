package io.feedkit.testkit.internal.graph;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FollowCounts;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import io.feedkit.testkit.internal.Listing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Adding and removing edges, counts included. */
public abstract class GraphEdgeRules extends GraphRules {

    private final WritableGraphKit writableKit;
    private WritableFollowGraph writable;

    protected GraphEdgeRules(WritableGraphKit kit) {
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
    @DisplayName("an edge is reported as new once")
    void add() {
        Edge edge = new Edge("ann", "bob");
        assertThat(writable.add(List.of(edge))).containsExactly(true);
        assertThat(writable.add(List.of(edge))).containsExactly(false);
        assertThat(followers("bob")).containsExactly("ann");
        assertThat(followees("ann")).containsExactly("bob");
        assertThat(counts("bob")).isEqualTo(new FollowCounts(1, 0));
        assertThat(counts("ann")).isEqualTo(new FollowCounts(0, 1));
    }

    @Test
    @DisplayName("all users with edges are listed, however many they are")
    void listed() {
        follow("bob", ids(2100));
        follow("amy", AWKWARD_IDS);
        writable.add(List.of(new Edge("gone", "bob")));
        writable.remove(List.of(new Edge("gone", "bob")));
        Listing.by(graph::forEachUser)
                .ifPresent(users -> assertThat(users)
                        .contains("amy", "bob")
                        .containsAll(ids(2100))
                        .containsAll(AWKWARD_IDS)
                        .doesNotContain("gone", "unknown"));
    }

    @Test
    @DisplayName("an edge that was written or removed is on both sides, and a recount changes no count")
    void bothSides() {
        follow("bob", ids(20));
        Edge removed = new Edge("r00003", "bob");
        writable.remove(List.of(removed));
        assertThat(writable.oneSided(List.of(removed, new Edge("r00001", "bob"), new Edge("x", "y"))))
                .isEmpty();
        writable.recount(List.of("bob", "r00003", "r00001", "unknown"));
        assertThat(counts("bob")).isEqualTo(new FollowCounts(19, 0));
        assertThat(counts("r00001")).isEqualTo(new FollowCounts(0, 1));
        assertThat(counts("r00003")).isEqualTo(new FollowCounts(0, 0));
        assertThat(counts("unknown")).isEqualTo(new FollowCounts(0, 0));
    }

    @Test
    @DisplayName("an edge is reported as removed once")
    void remove() {
        Edge edge = new Edge("ann", "bob");
        writable.add(List.of(edge, new Edge("cid", "bob")));
        assertThat(writable.remove(List.of(edge))).containsExactly(true);
        assertThat(writable.remove(List.of(edge))).containsExactly(false);
        assertThat(followers("bob")).containsExactly("cid");
        assertThat(followees("ann")).isEmpty();
        assertThat(counts("bob")).isEqualTo(new FollowCounts(1, 0));
        assertThat(counts("ann")).isEqualTo(new FollowCounts(0, 0));
    }

    @Test
    @DisplayName("the reverse direction is another edge")
    void bothWays() {
        writable.add(List.of(new Edge("ann", "bob"), new Edge("bob", "ann")));
        assertThat(writable.remove(List.of(new Edge("ann", "bob")))).containsExactly(true);
        assertThat(followers("ann")).containsExactly("bob");
        assertThat(counts("ann")).isEqualTo(new FollowCounts(1, 0));
        assertThat(counts("bob")).isEqualTo(new FollowCounts(0, 1));
    }

    @Test
    @DisplayName("redirected edges lead to the other author, and are counted; other edges stay")
    void redirect() {
        writable.add(List.of(
                new Edge("ann", "bob"),
                new Edge("cid", "bob"),
                new Edge("cid", "eve"),
                new Edge("dan", "eve"),
                new Edge("eve", "bob")));
        List<Edge> edges = List.of(new Edge("dan", "bob"), new Edge("cid", "bob"), new Edge("ann", "bob"));
        assertThat(writable.redirect(edges, "eve"))
                .containsExactly(Redirection.ABSENT, Redirection.MERGED, Redirection.MOVED);
        assertThat(writable.redirect(edges, "eve")).containsOnly(Redirection.ABSENT);
        assertThat(followers("bob")).containsExactly("eve");
        assertThat(followers("eve")).containsExactly("ann", "cid", "dan");
        assertThat(followees("ann")).containsExactly("eve");
        assertThat(followees("cid")).containsExactly("eve");
        assertThat(counts("bob")).isEqualTo(new FollowCounts(1, 0));
        assertThat(counts("eve")).isEqualTo(new FollowCounts(3, 1));
        assertThat(counts("ann")).isEqualTo(new FollowCounts(0, 1));
        assertThat(counts("cid")).isEqualTo(new FollowCounts(0, 1));
    }

    @Test
    @DisplayName("a redirection of edges that do not exist leaves nothing, and an empty one does nothing")
    void redirectNothing() {
        assertThat(writable.redirect(List.of(new Edge("ann", "bob")), "eve")).containsExactly(Redirection.ABSENT);
        assertThat(writable.redirect(List.of(), "eve")).isEmpty();
        assertThat(followers("eve")).isEmpty();
        assertThat(followees("ann")).isEmpty();
        assertThat(counts("eve")).isEqualTo(new FollowCounts(0, 0));
    }

    @Test
    @DisplayName("an edge removed can be added again")
    void addAgain() {
        Edge edge = new Edge("ann", "bob");
        writable.add(List.of(edge));
        writable.remove(List.of(edge));
        assertThat(writable.add(List.of(edge))).containsExactly(true);
        assertThat(followers("bob")).containsExactly("ann");
        assertThat(counts("bob")).isEqualTo(new FollowCounts(1, 0));
    }

    @Test
    @DisplayName("answer i is for edge i, and an edge that occurs twice in a batch is new, or removed, once")
    void answersInOrder() {
        Edge first = new Edge("ann", "bob");
        Edge second = new Edge("ann", "cid");
        writable.add(List.of(first));
        assertThat(writable.add(List.of(second, first, second))).containsExactly(true, false, false);
        assertThat(writable.remove(List.of(new Edge("ann", "eve"), first, second, first)))
                .containsExactly(false, true, true, false);
        assertThat(followees("ann")).isEmpty();
        assertThat(counts("ann")).isEqualTo(new FollowCounts(0, 0));
    }

    @Test
    @DisplayName("empty batches do nothing")
    void emptyBatches() {
        assertThat(writable.add(List.of())).isEmpty();
        assertThat(writable.remove(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a large batch is written completely, and counted")
    void largeBatch() {
        List<Edge> edges =
                ids(1000).stream().map(reader -> new Edge(reader, "bob")).toList();
        assertThat(writable.add(edges)).hasSize(1000).containsOnly(true);
        assertThat(followers("bob")).isEqualTo(ids(1000));
        assertThat(counts("bob").followers()).isEqualTo(1000);
        assertThat(writable.remove(edges.subList(0, 400))).hasSize(400).containsOnly(true);
        assertThat(followers("bob")).isEqualTo(ids(1000).subList(400, 1000));
        assertThat(counts("bob").followers()).isEqualTo(600);
    }

    @Test
    @DisplayName("a user may be reader and author, and may follow oneself")
    void bothRoles() {
        writable.add(List.of(new Edge("ann", "ann"), new Edge("ann", "bob"), new Edge("cid", "ann")));
        assertThat(followers("ann")).containsExactly("ann", "cid");
        assertThat(followees("ann")).containsExactly("ann", "bob");
        assertThat(counts("ann")).isEqualTo(new FollowCounts(2, 2));
    }

    @Test
    @DisplayName("awkward ids, and pairs that look alike when joined, are separate edges")
    void awkwardIds() {
        List<Edge> edges = new ArrayList<>();
        for (String id : AWKWARD_IDS) {
            edges.add(new Edge(id, "a:b"));
            edges.add(new Edge("a:b", id));
        }
        edges.remove(new Edge("a:b", "a:b"));
        edges.add(new Edge("a:b:c", "d"));
        edges.add(new Edge("a", "b:c:d"));
        edges.add(new Edge("ab", "c"));
        edges.add(new Edge("a", "bc"));
        assertThat(writable.add(edges)).containsOnly(true);
        assertThat(writable.add(edges)).containsOnly(false);
        for (int i = 0; i < edges.size(); i += 2) {
            assertThat(writable.remove(List.of(edges.get(i)))).containsExactly(true);
        }
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            assertThat(graph.followed(edge.reader(), List.of(edge.author())).isEmpty())
                    .as("%s is removed", edge)
                    .isEqualTo(i % 2 == 0);
        }
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        List<Boolean> added = writable.add(List.of(new Edge("ann", "bob")));
        assertThatThrownBy(added::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
