package io.feedkit.survival.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The posts that one reader has marked as seen. Not thread-safe. */
final class SeenTimes {

    private static final class Mark {

        private final ShownPosts posts;
        private final long start;
        private long end = Long.MAX_VALUE;

        private Mark(ShownPosts posts, long start) {
            this.posts = posts;
            this.start = start;
        }
    }

    private static final int PRINTED = 3;

    private final List<Mark> marks = new ArrayList<>();

    /** A call that sets a mark begins. Returns a handle. */
    int begins(ShownPosts posts, long at) {
        marks.add(new Mark(posts, at));
        return marks.size() - 1;
    }

    void ended(int handle, long at) {
        marks.get(handle).end = at;
    }

    /** The posts that were marked before a count began. */
    ShownPosts before(long countStart) {
        return all(mark -> mark.end < countStart);
    }

    /** The posts that may have been marked when a count ended. */
    ShownPosts until(long countEnd) {
        return all(mark -> mark.start <= countEnd);
    }

    private ShownPosts all(Predicate<Mark> which) {
        return marks.stream().filter(which).map(mark -> mark.posts).reduce(ShownPosts.NOTHING, ShownPosts::and);
    }

    /** The latest marks, for messages. */
    String describe(long origin) {
        StringBuilder text = new StringBuilder();
        for (Mark mark : marks.subList(Math.max(0, marks.size() - PRINTED), marks.size())) {
            text.append(" marked %s at %d".formatted(mark.posts.describe(origin), mark.start - origin));
        }
        return text.isEmpty() ? " no mark" : text.toString();
    }
}
