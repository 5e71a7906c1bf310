package io.feedkit.testkit.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters of the graph kit. */
abstract class GraphRules {

    final GraphKit kit;

    FollowGraph graph;

    GraphRules(GraphKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openGraph() {
        graph = kit.graph();
    }

    /** Ids that sort in the order of their numbers. */
    static List<String> ids(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.format("r%05d", i))
                .toList();
    }

    final void follow(String author, List<String> readers) {
        kit.follow(readers.stream().map(reader -> new Edge(reader, author)).toList());
    }

    final void followAll(String reader, List<String> authors) {
        kit.follow(authors.stream().map(author -> new Edge(reader, author)).toList());
    }

    static IdPage page(FollowGraph graph, String author, KeyRange range, String after, int limit) {
        List<IdPage> pages = graph.followers(List.of(new FollowerQuery(author, range, after, limit)));
        assertThat(pages).as("answers to one query").hasSize(1);
        return pages.get(0);
    }

    /** All followers, read while they do not change. */
    static List<String> allFollowers(FollowGraph graph, String author, KeyRange range, int limit) {
        return walkToTheEnd(limit, after -> page(graph, author, range, after, limit));
    }

    final List<String> followers(String author) {
        return allFollowers(graph, author, KeyRange.ALL, 1000);
    }

    final List<String> followees(String reader) {
        return walkToTheEnd(1000, after -> graph.followees(reader, after, 1000));
    }

    /** Reads pages until there are no more, and then one after the last page, which must be empty. */
    static List<String> walkToTheEnd(int limit, Function<String, IdPage> pageAfter) {
        List<String> walked = walk(limit, pageAfter);
        if (!walked.isEmpty()) {
            assertThat(pageAfter.apply(walked.get(walked.size() - 1)).ids())
                    .as("ids after the last page")
                    .isEmpty();
        }
        return walked;
    }

    /** Reads pages until there are no more. */
    static List<String> walk(int limit, Function<String, IdPage> pageAfter) {
        List<String> walked = new ArrayList<>();
        String after = "";
        boolean more = true;
        while (more) {
            IdPage page = pageAfter.apply(after);
            assertThat(page.ids()).as("ids of a page").hasSizeLessThanOrEqualTo(limit);
            if (page.ids().isEmpty()) {
                assertThat(page.more()).as("more after an empty page").isFalse();
                return walked;
            }
            assertThat(page.ids().get(0))
                    .as("first id of a page after %s", after)
                    .isGreaterThan(after);
            walked.addAll(page.ids());
            after = page.ids().get(page.ids().size() - 1);
            more = page.more();
        }
        return walked;
    }
}
