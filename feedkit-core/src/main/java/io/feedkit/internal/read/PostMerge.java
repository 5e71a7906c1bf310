package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Merges sources of unequal depth into one sorted run without duplicates, and never goes beyond the point up to which
 * all of them are complete: what lies further might have a neighbour that a shallow source has not shown yet.
 */
final class PostMerge {

    /**
     * Posts in reading order.
     *
     * @param posts sorted in reading order
     * @param end how far they are complete, if that is further than their last post: downwards the lowest position
     *     included, upwards the lowest not included. Without posts never absent
     */
    record Source(List<Post> posts, Optional<Position> end) {

        /**
         * How far they are complete, looked for only when it is asked for: a store may make the last post only then.
         */
        Position reach(Order order) {
            return end.orElseGet(() -> {
                Position last = Position.of(posts.get(posts.size() - 1));
                return order == Order.NEWEST_FIRST ? last : last.next();
            });
        }
    }

    /**
     * A post of a run.
     *
     * @param post the post
     * @param source the index of the first source that had it
     */
    record Found(Post post, int source) {}

    /**
     * A merged run.
     *
     * @param found the posts without duplicates, in reading order
     * @param reach how far the run is complete, as in {@link Source#reach}
     */
    record Run(List<Found> found, Position reach) {

        /** A run of one source, which was read with the limit already. */
        static Run of(Order order, Source source, int index) {
            List<Found> found = new ArrayList<>(source.posts().size());
            for (Post post : source.posts()) {
                found.add(new Found(post, index));
            }
            return new Run(found, source.reach(order));
        }
    }

    private static final class Head {
        private final int source;
        private final List<Post> posts;
        private int next;
        private Post post;

        Head(int source, List<Post> posts) {
            this.source = source;
            this.posts = posts;
            post = posts.get(0);
        }

        /** Goes on to the next post, if there is one. */
        boolean advance() {
            if (++next == posts.size()) {
                return false;
            }
            post = posts.get(next);
            return true;
        }
    }

    private static final Comparator<Head> UP = (a, b) -> {
        int byPosition = Position.compare(a.post, b.post);
        return byPosition != 0 ? byPosition : Integer.compare(a.source, b.source);
    };

    private static final Comparator<Head> DOWN = (a, b) -> {
        int byPosition = Position.compare(b.post, a.post);
        return byPosition != 0 ? byPosition : Integer.compare(a.source, b.source);
    };

    private PostMerge() {}

    /**
     * Merges. A source bounds the run only once all of its posts are in it: while it has further ones, these lie beyond
     * what the run holds, and it is complete down to them.
     */
    static Run of(Order order, List<Source> sources, int limit) {
        if (sources.size() == 1) {
            return Run.of(order, sources.get(0), 0);
        }
        boolean down = order == Order.NEWEST_FIRST;
        Position reach = down ? Position.LOWEST : Position.HIGHEST;
        PriorityQueue<Head> heads = new PriorityQueue<>(sources.size(), down ? DOWN : UP);
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            if (source.posts().isEmpty()) {
                reach = nearer(order, reach, source);
            } else {
                heads.add(new Head(i, source.posts()));
            }
        }
        List<Found> found = new ArrayList<>();
        Post previous = null;
        for (Head head = heads.poll(); head != null; head = heads.poll()) {
            Post post = head.post;
            int beyond = reach.compareOf(post);
            if (down ? beyond < 0 : beyond >= 0) {
                break;
            }
            if (previous == null || Position.compare(previous, post) != 0) {
                if (previous != null && found.size() == limit) {
                    Position last = Position.of(previous);
                    return new Run(found, down ? last : last.next());
                }
                found.add(new Found(post, head.source));
                previous = post;
            }
            if (head.advance()) {
                heads.add(head);
            } else {
                reach = nearer(order, reach, sources.get(head.source));
            }
        }
        return new Run(found, reach);
    }

    private static Position nearer(Order order, Position reach, Source source) {
        Position other = source.reach(order);
        return order == Order.NEWEST_FIRST ? Position.max(reach, other) : Position.min(reach, other);
    }
}
