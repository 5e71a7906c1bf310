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
 * Merges sources of unequal depth into one sorted run without duplicates. A merge never goes beyond the point up to
 * which all sources are complete. Beyond that point, a shallow source may have posts that it has not returned yet.
 */
final class PostMerge {

    /**
     * Posts in reading order.
     *
     * @param posts sorted in reading order
     * @param end how far the posts are complete, if that is further than the last post: downwards the lowest position
     *     included, upwards the lowest position not included. Never absent if there are no posts
     */
    record Source(List<Post> posts, Optional<Position> end) {

        /**
         * How far the posts are complete. Computed only when it is needed, because a store may create the last post
         * only when it is read.
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

        /** A run of one source that was already read with the limit. */
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

        /** Moves to the next post, if there is one. */
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
     * Merges sources. A source bounds the run only after all of its posts are in the run. While a source has further
     * posts, they lie beyond the run, and the source is complete up to them.
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
