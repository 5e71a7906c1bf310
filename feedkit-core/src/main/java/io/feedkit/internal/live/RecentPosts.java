package io.feedkit.internal.live;

import io.feedkit.Post;
import java.util.Arrays;

/**
 * The latest posts that one subscription has delivered, by hash: a cursor lists too few. Two posts have the same hash
 * with a probability of 2<sup>-64</sup>. Every connected reader has such lists, so these are plain arrays: a search of
 * all hashes takes less than a microsecond. Used by one thread at a time.
 */
final class RecentPosts {

    /** More than the deliveries of a second, which is how long signals of one post follow each other. */
    private static final int MOST = 1024;

    private static final int FIRST_SIZE = 4;
    private static final long[] NONE = {};
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /** When there are {@link #MOST}, a new hash replaces the oldest one. */
    private long[] hashes = NONE;

    /** The times of these posts, in milliseconds. */
    private long[] times = NONE;

    private int size;
    private int next;

    /** The highest time of a post that was forgotten. */
    private long forgotten = Long.MIN_VALUE;

    boolean contains(Post post) {
        return contains(hash(post));
    }

    private boolean contains(long hash) {
        for (int i = 0; i < size; i++) {
            if (hashes[i] == hash) {
                return true;
            }
        }
        return false;
    }

    void add(Post post) {
        long hash = hash(post);
        if (!contains(hash)) {
            if (next == hashes.length && size < MOST) {
                int length = Math.min(MOST, Math.max(FIRST_SIZE, 2 * size));
                hashes = Arrays.copyOf(hashes, length);
                times = Arrays.copyOf(times, length);
            }
            next %= MOST;
            if (next < size) {
                forgotten = Math.max(forgotten, times[next]);
            }
            hashes[next] = hash;
            times[next] = post.publishedAt().toEpochMilli();
            next++;
            size = Math.max(size, next);
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
