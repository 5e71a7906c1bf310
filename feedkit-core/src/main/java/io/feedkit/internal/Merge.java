package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges sources of unequal depth into one sorted run without duplicates, and never goes beyond the point up to which all of them are complete: what lies
 * further might have a neighbour that a shallow source has not shown yet.
 */
final class Merge {

    /**
     * Posts in reading order.
     *
     * @param posts sorted in reading order
     * @param reach how far they are complete: downwards the lowest position included, upwards the lowest not included
     */
    record Source(List<Post> posts, Position reach) {}

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
     * @param reach how far the run is complete, as in {@link Source#reach()}
     */
    record Run(List<Found> found, Position reach) {

        /** A run of one source, which was read with the limit already. */
        static Run of(Source source, int index) {
            List<Found> found = new ArrayList<>(source.posts().size());
            for (Post post : source.posts()) {
                found.add(new Found(post, index));
            }
            return new Run(found, source.reach());
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

    private Merge() {}

    static Run of(Order order, List<Source> sources, int limit) {
        if (sources.size() == 1) {
            return Run.of(sources.get(0), 0);
        }
        boolean down = order == Order.NEWEST_FIRST;
        Position reach = sources.get(0).reach();
        for (Source source : sources) {
            reach = down ? Position.max(reach, source.reach()) : Position.min(reach, source.reach());
        }
        PriorityQueue<Head> heads = new PriorityQueue<>(sources.size(), down ? DOWN : UP);
        for (int i = 0; i < sources.size(); i++) {
            if (!sources.get(i).posts().isEmpty()) {
                heads.add(new Head(i, sources.get(i).posts()));
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
            }
        }
        return new Run(found, reach);
    }
}
