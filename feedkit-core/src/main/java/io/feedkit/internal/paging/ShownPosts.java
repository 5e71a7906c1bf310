package io.feedkit.internal.paging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The posts that were shown to a client that reads upwards: every post up to a position that was visible then. The
 * posts of the last milliseconds up to the position are listed. So a later page can look at these milliseconds again,
 * and distinguish a post that arrived late from a post that was shown.
 *
 * <p>The list has every post that was shown from the millisecond {@code since} on. Each limit of the list (its length,
 * its time, the end of a page) raises {@code since}. Posts below {@code since} are not looked at again: a late post may
 * be missed, but no post is shown twice. Immutable.
 *
 * @param upTo the position
 * @param since the first millisecond that is looked at again; the one after the position's own if there is none
 * @param listed the posts shown from there on, lowest first
 */
public record ShownPosts(Position upTo, long since, List<Listed> listed) {

    /**
     * How far below the position late posts are looked for. A push takes milliseconds to seconds, and a pulled post
     * shows on other engines within the staleness bound, a second by default. A longer time would find few more posts,
     * because a busy feed fills the list sooner.
     */
    public static final long WINDOW_MILLIS = 10_000;

    /** The most posts listed. They take up to 128 characters of a cursor's text, and each poll reads them again. */
    public static final int MOST_LISTED = 16;

    /** No posts. */
    public static final ShownPosts NOTHING = upTo(Position.LOWEST);

    /**
     * A post in a few bytes. Two posts of the same millisecond have the same hash with a probability of
     * 2<sup>-32</sup>; then one of them is not shown if it arrives late.
     *
     * @param millis the post's time
     * @param hash the CRC-32 of its author and id
     */
    public record Listed(long millis, int hash) implements Comparable<Listed> {

        static Listed of(Post post) {
            CRC32 crc = new CRC32();
            crc.update((post.author() + " " + post.id()).getBytes(ISO_8859_1));
            return new Listed(post.publishedAt().toEpochMilli(), (int) crc.getValue());
        }

        @Override
        public int compareTo(Listed other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : Integer.compare(hash, other.hash);
        }
    }

    /** All posts up to a position; no millisecond is looked at again. */
    public static ShownPosts upTo(Position position) {
        return new ShownPosts(position, position.millis() + 1, List.of());
    }

    /**
     * All posts up to a position; at most the given part is looked at again.
     *
     * @param upTo the position
     * @param since no earlier millisecond is looked at again
     * @param listed all posts that were shown from {@code since} on, and possibly more
     */
    public static ShownPosts of(Position upTo, long since, Collection<Listed> listed) {
        List<Listed> ascending = listed.stream().distinct().sorted().toList();
        int excess = ascending.size() - MOST_LISTED;
        long fitting = excess > 0 ? ascending.get(excess - 1).millis() + 1 : 0;
        long within = Math.max(0, upTo.millis() - WINDOW_MILLIS);
        long from = Math.min(upTo.millis() + 1, Math.max(since, Math.max(fitting, within)));
        return new ShownPosts(
                upTo,
                from,
                ascending.stream().filter(post -> post.millis() >= from).toList());
    }

    /**
     * The posts that a page read downwards has shown.
     *
     * @param upTo where the page begins
     * @param posts the page's posts, newest first
     * @param resume where the page ended, if the feed did not
     */
    public static ShownPosts downwards(Position upTo, List<Post> posts, Optional<Position> resume) {
        return of(
                upTo,
                resume.map(end -> end.millis() + 1).orElse(0L),
                list(posts).toList());
    }

    /**
     * The posts that have been shown after a page that was read upwards from here. The position never moves back. If
     * the page broke off at or below the position, before it was full, the next page begins at a higher millisecond.
     * Otherwise the next page would break off at the same place again.
     *
     * @param posts the page's posts, newest first
     * @param resume where the page ended, if it ended before the top of the feed
     * @param full whether the page had as many posts as requested
     */
    public ShownPosts upwards(List<Post> posts, Optional<Position> resume, boolean full) {
        Position reached = resume.orElseGet(() -> posts.isEmpty() ? upTo : Position.of(posts.get(0)));
        boolean brokenOffBelow = resume.isPresent() && !full && reached.compareTo(upTo) <= 0;
        return of(
                Position.max(upTo, reached),
                brokenOffBelow ? Math.max(reached.millis(), since + 1) : since,
                Stream.concat(listed.stream(), list(posts)).toList());
    }

    /** The posts to list, and one more, which shows where the list must begin. */
    private static Stream<Listed> list(List<Post> newestFirst) {
        return newestFirst.stream().limit(MOST_LISTED + 1).map(Listed::of);
    }

    /** The range above the position, and the part that is looked at again. */
    public PositionRange rest() {
        return PositionRange.from(Position.min(new Position(since, "", ""), upTo.next()));
    }

    /** Whether a post of the {@link #rest()} has been shown. */
    public boolean contains(Post post) {
        return !listed.isEmpty() && upTo.compareOf(post) <= 0 && listed.contains(Listed.of(post));
    }

    /** How many posts of the {@link #rest()} have been shown at most. */
    public int size() {
        return listed.size();
    }
}
