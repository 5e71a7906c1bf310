package io.feedkit.internal;

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
 * The pulled authors whose outboxes the next posts of a walk may be in.
 *
 * @param authors the authors, in no order
 * @param others the highest post that may be by others, if there are others; whatever lies above it is by these
 */
record PulledAuthors(List<String> authors, Optional<Position> others) {

    static final PulledAuthors NONE = new PulledAuthors(List.of(), Optional.empty());

    /**
     * Chooses authors by their newest posts. Downwards, of those whose posts all lie below the range's upper bound, the highest are enough, as many as posts are wanted: each has a post above
     * whatever others have. So a page of twenty looks at some twenty authors, however many the reader follows. Not thread-safe.
     */
    static final class Choice {

        /** More than as many as posts are wanted: of some the newest was deleted since, and what is left of theirs begins lower. */
        private static final int SPARE = 5;

        private record Candidate(String author, Position newest) {}

        private final PositionRange range;
        private final int most;
        private final boolean down;
        private final List<String> authors = new ArrayList<>();
        private final PriorityQueue<Candidate> highest = new PriorityQueue<>(Comparator.comparing(Candidate::newest));
        private @Nullable Position others;

        /** A choice for the next so many posts of a range. */
        Choice(PositionRange range, Order order, int limit) {
            this.range = range;
            most = limit + SPARE;
            down = order == Order.NEWEST_FIRST;
        }

        /** Considers an author, who has no post above this one. */
        void consider(String author, Position newest) {
            if (newest.compareTo(range.from()) < 0) {
                return;
            }
            if (!down || newest.compareTo(range.below()) >= 0) {
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

        private void leaveOut(Position newest) {
            others = others == null ? newest : Position.max(others, newest);
        }

        PulledAuthors made() {
            highest.forEach(candidate -> authors.add(candidate.author()));
            return new PulledAuthors(authors, Optional.ofNullable(others));
        }
    }
}
