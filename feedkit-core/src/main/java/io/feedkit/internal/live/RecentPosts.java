package io.feedkit.internal.live;

import io.feedkit.Post;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * The latest posts that one subscription has delivered, by hash: a cursor lists too few. Two posts have the same hash
 * with a probability of 2<sup>-64</sup>. Used by one thread at a time.
 */
final class RecentPosts {

    /** More than the deliveries of a second, which is how long signals of one post follow each other. */
    private static final int MOST = 1024;

    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private record Known(long hash, long millis) {}

    private final Set<Long> known = new HashSet<>(2);
    private final Queue<Known> oldestFirst = new ArrayDeque<>(2);

    /** The highest time of a post that was forgotten. */
    private long forgotten = Long.MIN_VALUE;

    boolean contains(Post post) {
        return known.contains(hash(post));
    }

    void add(Post post) {
        long hash = hash(post);
        if (known.add(hash)) {
            oldestFirst.add(new Known(hash, post.publishedAt().toEpochMilli()));
            if (oldestFirst.size() > MOST) {
                Known oldest = oldestFirst.remove();
                known.remove(oldest.hash());
                forgotten = Math.max(forgotten, oldest.millis());
            }
        }
    }

    /** The lowest time from which all delivered posts are known. */
    long completeFrom() {
        return forgotten + 1;
    }

    private static long hash(Post post) {
        long hash = post.publishedAt().toEpochMilli() * FACTOR;
        hash = mixed(hash, post.author());
        return mixed(hash, post.id());
    }

    private static long mixed(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FACTOR;
            hash ^= hash >>> 32;
        }
        return (hash ^ ' ') * FACTOR;
    }
}
