package io.feedkit.testkit.internal.graph;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FollowCounts;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts, which may be estimates, and ranges for several workers. */
public abstract class GraphSizeRules extends GraphRules {

    protected GraphSizeRules(GraphKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("users without edges have zeros or are left out")
    void zeros() {
        Map<String, FollowCounts> counts = graph.counts(List.of("ann", "bob"));
        assertThat(List.of("ann", "bob")).containsAll(counts.keySet());
        assertThat(counts.values()).allMatch(new FollowCounts(0, 0)::equals);
        assertThat(graph.counts(List.of())).isEmpty();
    }

    @Test
    @DisplayName("counts are returned for the requested users only, and are not negative")
    void counts() {
        follow("bob", ids(20));
        Map<String, FollowCounts> counts = graph.counts(List.of("bob", "r00003", "unknown", "bob"));
        assertThat(List.of("bob", "r00003", "unknown")).containsAll(counts.keySet());
        assertThat(counts.values()).allMatch(count -> count.followers() >= 0 && count.followees() >= 0);
    }

    @ParameterizedTest(name = "in at most {0} parts")
    @ValueSource(ints = {1, 2, 3, 8, 100})
    @DisplayName("the ranges of a split cover all followers without gaps or overlaps, ascending")
    void split(int parts) {
        follow("bob", ids(200));
        List<KeyRange> ranges = graph.split("bob", parts);
        assertCoverAll(ranges, parts);
        List<String> walked = new ArrayList<>();
        ranges.forEach(range -> walked.addAll(allFollowers(graph, "bob", range, 30)));
        assertThat(walked).isEqualTo(ids(200));
    }

    @Test
    @DisplayName("the ranges of a split are of about equal size")
    void splitEvenly() {
        follow("bob", ids(1000));
        List<KeyRange> ranges = graph.split("bob", 4);
        int fair = 1000 / ranges.size();
        assertThat(ranges)
                .allSatisfy(range ->
                        assertThat(allFollowers(graph, "bob", range, 1000)).hasSizeBetween(fair / 3, fair * 3));
    }

    @Test
    @DisplayName("an author with few followers, or none, can be split too")
    void splitFew() {
        follow("bob", AWKWARD_IDS.subList(0, 3));
        for (String author : List.of("bob", "unknown")) {
            for (int parts = 1; parts <= 5; parts++) {
                assertCoverAll(graph.split(author, parts), parts);
            }
        }
    }

    @Test
    @DisplayName("awkward ids each fall into one range of a split")
    void splitAwkwardIds() {
        follow("bob", AWKWARD_IDS);
        List<KeyRange> ranges = graph.split("bob", 7);
        assertCoverAll(ranges, 7);
        List<String> walked = new ArrayList<>();
        ranges.forEach(range -> walked.addAll(allFollowers(graph, "bob", range, 30)));
        assertThat(walked).isEqualTo(AWKWARD_IDS.stream().sorted().toList());
    }

    private static void assertCoverAll(List<KeyRange> ranges, int parts) {
        assertThat(ranges).hasSizeBetween(1, parts);
        String edge = KeyRange.ALL.from();
        for (KeyRange range : ranges) {
            assertThat(range.from()).isEqualTo(edge);
            assertThat(range.below()).isGreaterThan(range.from());
            edge = range.below();
        }
        assertThat(edge).isEqualTo(KeyRange.END);
    }
}
