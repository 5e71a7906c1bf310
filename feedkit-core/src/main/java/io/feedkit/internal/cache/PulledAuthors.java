package io.feedkit.internal.cache;

import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pulled authors whose outboxes may hold the next posts of a walk.
 *
 * @param authors the authors, in no order
 * @param others the highest position at which the posts of further pulled authors may begin, if there are further ones
 */
public record PulledAuthors(List<String> authors, Optional<Position> others) {

    static final PulledAuthors NONE = new PulledAuthors(List.of(), Optional.empty());

    /**
     * Chooses authors by the position of their newest unpushed post. Downwards, consider the authors whose newest
     * unpushed post lies below the range's upper bound: the {@code limit} authors with the highest such posts are
     * enough. Each of them has a post above all posts of the authors left out, unless that post was deleted. Not
     * thread-safe.
     */
    public static final class Choice {

        private record Candidate(String author, Position newest) {}

        private final PositionRange range;
        private final int most;
        private final boolean down;
        private final List<String> authors = new ArrayList<>();
        private final PriorityQueue<Candidate> highest = new PriorityQueue<>(Comparator.comparing(Candidate::newest));
        private @Nullable Position others;

        /** A choice for the next {@code limit} posts of a range. */
        public Choice(PositionRange range, Order order, int limit) {
            this.range = range;
            most = limit;
            down = order == Order.NEWEST_FIRST;
        }

        /** Considers an author. The page can show no unpushed post of this author above {@code newest}. */
        public void consider(String author, Position newest) {
            if (newest.compareTo(range.from()) < 0) {
                return;
            }
            if (!down || !liesWhollyBelow(newest)) {
                authors.add(author);
            } else if (highest.size() < most) {
                highest.add(new Candidate(author, newest));
            } else if (newest.compareTo(highest.element().newest()) < 0) {
                leaveOut(newest);
            } else {
                leaveOut(highest.remove().newest());
                highest.add(new Candidate(author, newest));
            }
        }

        /**
         * Whether there is room between this position and the range's upper bound. Then the posts left out begin at a
         * lower position with each step, so a scan ends.
         */
        private boolean liesWhollyBelow(Position newest) {
            return newest.millis() < range.below().millis() || newest.next().compareTo(range.below()) < 0;
        }

        private void leaveOut(Position newest) {
            others = others == null ? newest : Position.max(others, newest);
        }

        public PulledAuthors made() {
            highest.forEach(candidate -> authors.add(candidate.author()));
            return new PulledAuthors(authors, Optional.ofNullable(others));
        }
    }
}
