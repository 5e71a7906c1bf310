package io.feedkit.internal.cache;

import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pulled authors whose outboxes may hold the next posts of a walk.
 *
 * @param authors the authors, in no order
 * @param others the highest position at which the posts of further pulled authors may begin, if there are further ones
 */
public record PulledAuthors(List<String> authors, Optional<Position> others) {

    /**
     * An author with unpushed posts.
     *
     * @param newest the position of the newest of these posts, or a position above it
     */
    record Candidate(String author, Position newest) {}

    /**
     * Chooses authors for the next {@code limit} posts of a range, by the position of their newest unpushed post.
     * Downwards, consider the authors whose newest unpushed post lies below the range's upper bound: the {@code limit}
     * authors with the highest such posts are enough. Each of them has a post above all posts of the authors left out,
     * unless that post was deleted.
     *
     * @param newestFirst all candidates, from the highest position
     * @param wanted which of them the walk may show
     */
    static PulledAuthors of(
            List<Candidate> newestFirst, Predicate<String> wanted, PositionRange range, Order order, int limit) {
        boolean down = order == Order.NEWEST_FIRST;
        List<String> authors = new ArrayList<>();
        int below = 0;
        for (Candidate each : newestFirst) {
            if (each.newest().compareTo(range.from()) < 0) {
                break;
            }
            if (wanted.test(each.author())) {
                if (down && liesWhollyBelow(each.newest(), range) && ++below > limit) {
                    return new PulledAuthors(authors, Optional.of(each.newest()));
                }
                authors.add(each.author());
            }
        }
        return new PulledAuthors(authors, Optional.empty());
    }

    /**
     * Whether there is room between a position and the range's upper bound. Then the posts left out begin at a lower
     * position with each step, so a scan ends.
     */
    private static boolean liesWhollyBelow(Position newest, PositionRange range) {
        return newest.millis() < range.below().millis() || newest.next().compareTo(range.below()) < 0;
    }
}
