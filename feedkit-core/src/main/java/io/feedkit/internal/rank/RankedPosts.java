package io.feedkit.internal.rank;

import io.feedkit.Post;
import java.util.ArrayList;
import java.util.List;

/** The posts of a ranking that may be shown, the highest first, in chunks. Not thread-safe. */
interface RankedPosts {

    /**
     * A post of a ranking.
     *
     * @param place how many posts of the ranking lie before it
     */
    record Ranked(int place, Post post) {}

    /** The next posts: those of the next {@code most} places that may be shown; possibly none before the end. */
    List<Ranked> next(int most);

    boolean atEnd();

    /** Posts that were just read. */
    static RankedPosts of(List<Post> order) {
        return new RankedPosts() {
            private int place;

            @Override
            public List<Ranked> next(int most) {
                List<Ranked> part = new ArrayList<>();
                for (int end = Math.min(order.size(), place + most); place < end; place++) {
                    part.add(new Ranked(place, order.get(place)));
                }
                return part;
            }

            @Override
            public boolean atEnd() {
                return place == order.size();
            }
        };
    }
}
