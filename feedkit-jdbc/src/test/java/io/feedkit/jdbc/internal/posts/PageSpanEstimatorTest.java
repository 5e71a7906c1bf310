package io.feedkit.jdbc.internal.posts;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The estimated span of a page")
class PageSpanEstimatorTest {

    private static final long TOP = 1_000_000;

    private final PageSpanEstimator estimator = new PageSpanEstimator();

    @Test
    @DisplayName("is unknown before the first full page")
    void unknown() {
        assertThat(estimator.estimate(query(PositionRange.ALL))).isEmpty();
        estimator.learn(query(PositionRange.ALL), page(TOP, 3, 100));
        assertThat(estimator.estimate(query(PositionRange.ALL))).isEmpty();
    }

    @Test
    @DisplayName("is three times the span of the page before")
    void like() {
        estimator.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        assertThat(estimator.estimate(query(PositionRange.ALL))).hasValue(TOP - 1200 - 1);
        assertThat(estimator.estimate(query(PositionRange.below(new Position(TOP - 500, "", "")))))
                .hasValue(TOP - 500 - 1200 - 1);
        assertThat(estimator.estimate(query(PositionRange.from(new Position(TOP - 10, "", "")))))
                .hasValue(TOP - 10);
    }

    @Test
    @DisplayName("grows at once and shrinks slowly, and forgets a post from the far future")
    void slowly() {
        estimator.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        estimator.learn(query(PositionRange.ALL), page(TOP, 5, 1000));
        assertThat(estimator.estimate(query(PositionRange.ALL))).hasValue(TOP - 12_000 - 1);
        estimator.learn(query(PositionRange.ALL), page(TOP, 5, 1));
        assertThat(estimator.estimate(query(PositionRange.ALL))).hasValue(TOP - 10_500 - 1);

        estimator.learn(query(PositionRange.ALL), page(1000 * TOP, 5, 1));
        for (int i = 0; i < 300; i++) {
            estimator.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        }
        assertThat(estimator.estimate(query(PositionRange.ALL)).getAsLong()).isBetween(TOP - 1300, TOP - 1150);
    }

    @Test
    @DisplayName("comes from pages of the same authors if there were any, else from pages of other authors")
    void own() {
        PageQuery other = new PageQuery(Set.of("carol", "dave"), PositionRange.ALL, Order.NEWEST_FIRST, 5);
        estimator.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        estimator.learn(other, page(TOP, 5, 1000));
        assertThat(estimator.estimate(query(PositionRange.ALL))).hasValue(TOP - 1200 - 1);
        assertThat(estimator.estimate(other)).hasValue(TOP - 12_000 - 1);
        assertThat(estimator.estimate(new PageQuery(Set.of("erin", "frank"), PositionRange.ALL, Order.NEWEST_FIRST, 5)))
                .hasValue(TOP - 12_000 - 1);
    }

    private static PageQuery query(PositionRange range) {
        return new PageQuery(Set.of("alice", "bob"), range, Order.NEWEST_FIRST, 5);
    }

    private static List<Post> page(long top, int posts, long gap) {
        return IntStream.range(0, posts)
                .mapToObj(i -> Post.of("bob", "p" + i, top - i * gap))
                .toList();
    }
}
