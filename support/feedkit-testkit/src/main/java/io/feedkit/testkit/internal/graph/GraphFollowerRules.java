package io.feedkit.testkit.internal.graph;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of followers. */
public abstract class GraphFollowerRules extends GraphRules {

    protected GraphFollowerRules(GraphKit kit) {
        super(kit);
    }

    private IdPage page(String author, KeyRange range, String after, int limit) {
        return page(graph, author, range, after, limit);
    }

    @Test
    @DisplayName("an author without followers has one empty page")
    void nobody() {
        assertThat(page("bob", KeyRange.ALL, "", 10)).isEqualTo(new IdPage(List.of(), false));
    }

    @Test
    @DisplayName("followers are those who follow the author, not those whom the author follows")
    void direction() {
        follow("bob", List.of("ann", "cid"));
        followAll("bob", List.of("eve", "cid"));
        assertThat(followers("bob")).containsExactly("ann", "cid");
        assertThat(followers("cid")).containsExactly("bob");
        assertThat(followers("ann")).isEmpty();
    }

    @ParameterizedTest(name = "in pages of {0}")
    @ValueSource(ints = {1, 2, 7, 49, 50, 51, 500})
    @DisplayName("a walk meets every follower once, ascending by bytes")
    void walks(int limit) {
        follow("bob", shuffled(ids(50), 1));
        assertThat(allFollowers(graph, "bob", KeyRange.ALL, limit)).isEqualTo(ids(50));
    }

    @Test
    @DisplayName("a page that is not the last is full, and says that there is more")
    void fullPages() {
        follow("bob", ids(10));
        assertThat(page("bob", KeyRange.ALL, "", 4)).isEqualTo(new IdPage(ids(4), true));
        assertThat(page("bob", KeyRange.ALL, "r00003", 4)).isEqualTo(new IdPage(ids(10).subList(4, 8), true));
        assertThat(page("bob", KeyRange.ALL, "r00007", 4)).isEqualTo(new IdPage(ids(10).subList(8, 10), false));
    }

    @Test
    @DisplayName("a page begins above an id, whether it is a follower's or not")
    void afterAnyId() {
        follow("bob", List.of("b", "d", "f"));
        assertThat(page("bob", KeyRange.ALL, "b", 10).ids()).containsExactly("d", "f");
        assertThat(page("bob", KeyRange.ALL, "c", 10).ids()).containsExactly("d", "f");
        assertThat(page("bob", KeyRange.ALL, "a", 10).ids()).containsExactly("b", "d", "f");
        assertThat(page("bob", KeyRange.ALL, "f", 10)).isEqualTo(new IdPage(List.of(), false));
    }

    @Test
    @DisplayName("a range includes its lower bound and excludes its upper bound, and the cursor works within it")
    void ranges() {
        follow("bob", ids(10));
        KeyRange range = new KeyRange("r00003", "r00007");
        assertThat(page("bob", range, "", 10).ids()).isEqualTo(ids(10).subList(3, 7));
        assertThat(page("bob", range, "r00004", 10).ids()).isEqualTo(ids(10).subList(5, 7));
        assertThat(page("bob", range, "r00001", 10).ids()).isEqualTo(ids(10).subList(3, 7));
        assertThat(page("bob", range, "r00006", 10)).isEqualTo(new IdPage(List.of(), false));
        assertThat(page("bob", range, "r00009", 10)).isEqualTo(new IdPage(List.of(), false));
        assertThat(allFollowers(graph, "bob", range, 3)).isEqualTo(ids(10).subList(3, 7));
        assertThat(page("bob", new KeyRange("x", "y"), "", 10)).isEqualTo(new IdPage(List.of(), false));
        assertThat(page("bob", new KeyRange("r00003", "r00003"), "", 10)).isEqualTo(new IdPage(List.of(), false));
    }

    @Test
    @DisplayName("page i answers query i, also if two queries name one author")
    void answersInOrder() {
        follow("bob", List.of("ann", "cid"));
        follow("amy", List.of("eve"));
        assertThat(graph.followers(List.of(
                        new FollowerQuery("amy", KeyRange.ALL, "", 5),
                        new FollowerQuery("unknown", KeyRange.ALL, "", 5),
                        new FollowerQuery("bob", KeyRange.ALL, "ann", 5),
                        new FollowerQuery("bob", new KeyRange("", "b"), "", 5))))
                .extracting(IdPage::ids)
                .containsExactly(List.of("eve"), List.of(), List.of("cid"), List.of("ann"));
        assertThat(graph.followers(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a former follower is on no page any more")
    void unfollowed() {
        follow("bob", List.of("ann", "cid", "eve"));
        kit.unfollow(List.of(new Edge("cid", "bob")));
        assertThat(followers("bob")).containsExactly("ann", "eve");
    }

    @Test
    @DisplayName("awkward ids are in the order of their bytes, and authors are separate")
    void awkwardIds() {
        List<String> sorted = AWKWARD_IDS.stream().sorted().toList();
        follow("bob", AWKWARD_IDS);
        for (String author : AWKWARD_IDS) {
            follow(author, List.of(author, "common"));
        }
        assertThat(allFollowers(graph, "bob", KeyRange.ALL, 4)).isEqualTo(sorted);
        for (String author : AWKWARD_IDS) {
            assertThat(followers(author))
                    .containsExactlyInAnyOrder(author, "common")
                    .isSorted();
        }
        for (int i = 1; i < sorted.size(); i++) {
            assertThat(page("bob", new KeyRange(sorted.get(i - 1), sorted.get(i)), "", 100)
                            .ids())
                    .containsExactly(sorted.get(i - 1));
            assertThat(page("bob", KeyRange.ALL, sorted.get(i - 1), 1).ids()).containsExactly(sorted.get(i));
        }
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        List<IdPage> pages = graph.followers(List.of(new FollowerQuery("bob", KeyRange.ALL, "", 5)));
        assertThatThrownBy(pages::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
