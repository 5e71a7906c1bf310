package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The posts that a client was shown, as its cursor records them: a place, and the shown posts of the last two minutes
 * below it. How many posts a cursor lists depends on their times, and it can drop the lowest. So there are two bounds:
 * posts that the cursor certainly records, and posts that it possibly records. Immutable.
 *
 * @param posts the posts that pages have shown
 * @param lowestPlace the cursor's place is not below this time
 * @param highestPlace the cursor's place is not above this time
 * @param lowestEnd posts of earlier times are not looked for, because they are below the first page
 * @param highestEnd posts of later times are looked for, if they are late
 */
record ShownPosts(Set<Post> posts, long lowestPlace, long highestPlace, long lowestEnd, long highestEnd) {

    /** The record of a client that was shown nothing. */
    static final ShownPosts NOTHING =
            new ShownPosts(Set.of(), Long.MIN_VALUE / 2, Long.MIN_VALUE / 2, Long.MIN_VALUE, Long.MIN_VALUE);

    private static final long LOOKBACK_MILLIS = 120_000;

    /** The number of posts that fit into a cursor, whatever their times. */
    private static final int FITTING = 45;

    ShownPosts {
        posts = Set.copyOf(posts);
    }

    /** The record after a first page. A cursor's place is never above the present of the engine. */
    static ShownPosts on(ShownPage page, Skew skew) {
        List<Post> posts = page.posts();
        long start = skew.earliest(page.call().start());
        long end = skew.latest(page.call().end());
        if (posts.isEmpty()) {
            return new ShownPosts(Set.of(), start, end, Long.MIN_VALUE, page.last() ? Long.MIN_VALUE : end);
        }
        long top = millis(posts.get(0));
        long bottom = page.last() ? Long.MIN_VALUE : millis(posts.get(posts.size() - 1));
        // Of a page that lies above the present of its engine, the cursor records nothing below.
        return new ShownPosts(
                new HashSet<>(posts), Math.min(top, start), Math.min(top, end), Math.min(bottom, start), bottom);
    }

    /** The record after one more page of new posts. A stale page that is not the last may have ended anywhere. */
    ShownPosts andNewer(ShownPage page, Skew skew) {
        ShownPosts all = page.posts().isEmpty() ? this : and(on(page, skew));
        boolean anywhere = page.stale() && !page.last();
        return new ShownPosts(
                all.posts,
                all.lowestPlace,
                all.highestPlace,
                lowestEnd,
                anywhere ? Math.max(highestEnd, all.highestPlace) : highestEnd);
    }

    /** The posts that two clients of one reader were shown. */
    ShownPosts and(ShownPosts other) {
        Set<Post> all = new HashSet<>(posts);
        all.addAll(other.posts);
        return new ShownPosts(
                all,
                Math.max(lowestPlace, other.lowestPlace),
                Math.max(highestPlace, other.highestPlace),
                Math.max(lowestEnd, other.lowestEnd),
                Math.max(highestEnd, other.highestEnd));
    }

    /** Whether the cursor certainly records a post as shown. */
    boolean has(Post post) {
        return posts.contains(post) || millis(post) < lowestPlace - LOOKBACK_MILLIS || millis(post) < lowestEnd;
    }

    /** Whether the cursor may record a post as shown. */
    boolean mayHave(Post post) {
        return posts.contains(post)
                || millis(post) <= highestPlace - LOOKBACK_MILLIS
                || millis(post) <= highestEnd
                || posts.stream()
                                .filter(other -> millis(other) >= millis(post))
                                .limit(FITTING)
                                .count()
                        == FITTING;
    }

    /** The text for messages. */
    String describe(long origin) {
        return posts.stream()
                .min(OracleFeed.NEWEST_FIRST)
                .map(top ->
                        "%d posts up to %s/%s@%d".formatted(posts.size(), top.author(), top.id(), millis(top) - origin))
                .orElse("nothing");
    }

    private static long millis(Post post) {
        return post.publishedAt().toEpochMilli();
    }
}
