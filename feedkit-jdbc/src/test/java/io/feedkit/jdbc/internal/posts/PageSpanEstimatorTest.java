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

@DisplayName("The reach of a page")
class PageSpanEstimatorTest {

    private static final long TOP = 1_000_000;

    private final PageSpanEstimator reach = new PageSpanEstimator();

    @Test
    @DisplayName("is not guessed before there was a page, nor after one that was not full")
    void unknown() {
        assertThat(reach.guess(query(PositionRange.ALL))).isEmpty();
        reach.learn(query(PositionRange.ALL), page(TOP, 3, 100));
        assertThat(reach.guess(query(PositionRange.ALL))).isEmpty();
    }

    @Test
    @DisplayName("is three times that of a like page before it")
    void like() {
        reach.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        assertThat(reach.guess(query(PositionRange.ALL))).hasValue(TOP - 1200 - 1);
        assertThat(reach.guess(query(PositionRange.below(new Position(TOP - 500, "", "")))))
                .hasValue(TOP - 500 - 1200 - 1);
        assertThat(reach.guess(query(PositionRange.from(new Position(TOP - 10, "", "")))))
                .hasValue(TOP - 10);
    }

    @Test
    @DisplayName("grows at once and shrinks slowly, and forgets a post from the far future")
    void slowly() {
        reach.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        reach.learn(query(PositionRange.ALL), page(TOP, 5, 1000));
        assertThat(reach.guess(query(PositionRange.ALL))).hasValue(TOP - 12_000 - 1);
        reach.learn(query(PositionRange.ALL), page(TOP, 5, 1));
        assertThat(reach.guess(query(PositionRange.ALL))).hasValue(TOP - 10_500 - 1);

        reach.learn(query(PositionRange.ALL), page(1000 * TOP, 5, 1));
        for (int i = 0; i < 300; i++) {
            reach.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        }
        assertThat(reach.guess(query(PositionRange.ALL)).getAsLong()).isBetween(TOP - 1300, TOP - 1150);
    }

    @Test
    @DisplayName("is that of the same authors' pages, if there were any, and else of whoever's")
    void own() {
        PageQuery other = new PageQuery(Set.of("carol", "dave"), PositionRange.ALL, Order.NEWEST_FIRST, 5);
        reach.learn(query(PositionRange.ALL), page(TOP, 5, 100));
        reach.learn(other, page(TOP, 5, 1000));
        assertThat(reach.guess(query(PositionRange.ALL))).hasValue(TOP - 1200 - 1);
        assertThat(reach.guess(other)).hasValue(TOP - 12_000 - 1);
        assertThat(reach.guess(new PageQuery(Set.of("erin", "frank"), PositionRange.ALL, Order.NEWEST_FIRST, 5)))
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
