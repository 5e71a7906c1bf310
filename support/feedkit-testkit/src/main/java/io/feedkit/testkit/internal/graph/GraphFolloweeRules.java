package io.feedkit.testkit.internal.graph;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The authors that a reader follows. */
public abstract class GraphFolloweeRules extends GraphRules {

    protected GraphFolloweeRules(GraphKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a reader without followees has one empty page")
    void nobody() {
        assertThat(graph.followees("ann", "", 10)).isEqualTo(new IdPage(List.of(), false));
        assertThat(graph.followed("ann", List.of("bob"))).isEmpty();
    }

    @Test
    @DisplayName("followees are those whom the reader follows, not those who follow the reader")
    void direction() {
        followAll("ann", List.of("bob", "cid"));
        follow("ann", List.of("eve"));
        assertThat(followees("ann")).containsExactly("bob", "cid");
        assertThat(followees("eve")).containsExactly("ann");
        assertThat(followees("bob")).isEmpty();
    }

    @ParameterizedTest(name = "in pages of {0}")
    @ValueSource(ints = {1, 7, 49, 50, 51, 500})
    @DisplayName("a walk meets every followee once, ascending by bytes")
    void walks(int limit) {
        followAll("ann", shuffled(ids(50), 1));
        assertThat(walkToTheEnd(limit, after -> graph.followees("ann", after, limit)))
                .isEqualTo(ids(50));
    }

    @Test
    @DisplayName("a page that is not the last is full, and says that there is more")
    void fullPages() {
        followAll("ann", ids(10));
        assertThat(graph.followees("ann", "", 4)).isEqualTo(new IdPage(ids(4), true));
        assertThat(graph.followees("ann", "r00007", 4)).isEqualTo(new IdPage(ids(10).subList(8, 10), false));
    }

    @Test
    @DisplayName("a page begins above an id, whether it is a followee's or not")
    void afterAnyId() {
        followAll("ann", List.of("b", "d", "f"));
        assertThat(graph.followees("ann", "b", 10).ids()).containsExactly("d", "f");
        assertThat(graph.followees("ann", "c", 10).ids()).containsExactly("d", "f");
        assertThat(graph.followees("ann", "f", 10)).isEqualTo(new IdPage(List.of(), false));
    }

    @Test
    @DisplayName("the first pages of many readers are those of each reader")
    void manyReaders() {
        followAll("ann", ids(10));
        followAll("bob", ids(4));
        followAll("r00001", List.of("ann", "bob"));
        List<String> readers = List.of("bob", "unknown", "ann", "r00001", "bob");
        for (int limit : List.of(1, 3, 4, 5, 10, 100)) {
            assertThat(graph.followees(readers, limit))
                    .isEqualTo(readers.stream()
                            .map(reader -> graph.followees(reader, "", limit))
                            .toList());
        }
        assertThat(graph.followees(List.of("bob"), 3)).containsExactly(new IdPage(ids(4).subList(0, 3), true));
        assertThat(graph.followees(List.of(), 3)).isEmpty();
    }

    @Test
    @DisplayName("a query about some authors returns those that the reader follows")
    void followed() {
        followAll("ann", List.of("bob", "cid", "eve"));
        follow("ann", List.of("amy"));
        assertThat(graph.followed("ann", List.of("cid", "amy", "bob", "unknown", "cid")))
                .containsExactlyInAnyOrder("bob", "cid");
        assertThat(graph.followed("ann", Set.of("amy"))).isEmpty();
        assertThat(graph.followed("ann", List.of())).isEmpty();
        assertThat(graph.followed("unknown", List.of("bob"))).isEmpty();
    }

    @Test
    @DisplayName("so does a query about many authors")
    void followedOfMany() {
        followAll("ann", ids(1000).subList(0, 700));
        assertThat(graph.followed("ann", ids(1000).subList(300, 1000)))
                .containsExactlyInAnyOrderElementsOf(ids(1000).subList(300, 700));
    }

    @Test
    @DisplayName("an unfollowed author is no longer a followee")
    void unfollowed() {
        followAll("ann", List.of("bob", "cid"));
        kit.unfollow(List.of(new Edge("ann", "bob")));
        assertThat(followees("ann")).containsExactly("cid");
        assertThat(graph.followed("ann", List.of("bob", "cid"))).containsExactly("cid");
    }

    @Test
    @DisplayName("awkward ids are in the order of their bytes, and readers are separate")
    void awkwardIds() {
        followAll("ann", AWKWARD_IDS);
        for (String reader : AWKWARD_IDS) {
            followAll(reader, List.of(reader, "common"));
        }
        assertThat(walkToTheEnd(4, after -> graph.followees("ann", after, 4)))
                .isEqualTo(AWKWARD_IDS.stream().sorted().toList());
        for (String reader : AWKWARD_IDS) {
            assertThat(followees(reader)).containsExactlyInAnyOrder(reader, "common");
            assertThat(graph.followed(reader, AWKWARD_IDS)).containsExactly(reader);
        }
    }
}
