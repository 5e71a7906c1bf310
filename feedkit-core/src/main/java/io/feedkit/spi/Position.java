package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;

/**
 * A place in the order of every feed: time, then id, then author, each ascending by bytes; a feed shows the highest
 * first.
 *
 * <p>The author breaks the last tie, because an id is unique for its author only. Without the author, two posts of
 * different authors could share a place, and a walk would lose one of them. A position holds all fields of a post, so a
 * post can be made from it.
 *
 * <p>Ranges of positions are half-open, {@code [from, below)}; {@link #next()} turns an inclusive bound into an
 * exclusive one and back.
 *
 * @param millis milliseconds since 1970-01-01T00:00:00Z
 * @param id the post's id; not checked, because a bound need not be a post
 * @param author the author's id; not checked either
 * @since 0.1.0
 */
public record Position(long millis, String id, String author) implements Comparable<Position> {
    /** Refuses null. */
    public Position {
        Arguments.nonNull("id", id);
        Arguments.nonNull("author", author);
    }

    /** Below or at every post. A floor of {@code LOWEST} promises the whole feed. */
    public static final Position LOWEST = new Position(0, "", "");

    /** The time of a position whose time is not known. It is later than the time of every post. */
    public static final long UNKNOWN_TIME = Post.LATEST.toEpochMilli() + 1;

    /** Above every post. A floor of {@code HIGHEST} promises nothing. */
    public static final Position HIGHEST = new Position(Long.MAX_VALUE, "", "");

    /**
     * The place of a post.
     *
     * @param post the post
     * @return its position
     */
    public static Position of(Post post) {
        return new Position(Arguments.nonNull("post", post).publishedAt().toEpochMilli(), post.id(), post.author());
    }

    /**
     * The position of a post whose time is not known.
     *
     * @param key the post
     * @return a position with {@link #UNKNOWN_TIME}
     */
    public static Position ofUnknownTime(PostKey key) {
        return new Position(UNKNOWN_TIME, Arguments.nonNull("key", key).id(), key.author());
    }

    /**
     * Orders two posts as their positions are ordered, without making positions.
     *
     * @param a a post
     * @param b a post
     * @return negative, zero or positive
     */
    public static int compare(Post a, Post b) {
        int byTime = a.publishedAt().compareTo(b.publishedAt());
        if (byTime != 0) {
            return byTime;
        }
        int byId = a.id().compareTo(b.id());
        return byId != 0 ? byId : a.author().compareTo(b.author());
    }

    /**
     * Compares a post's place with this one, without making a position.
     *
     * @param post the post
     * @return negative if the post lies below this position, zero if it is here, positive if it lies above
     */
    public int compareOf(Post post) {
        int byTime = Long.compare(post.publishedAt().toEpochMilli(), millis);
        if (byTime != 0) {
            return byTime;
        }
        int byId = post.id().compareTo(id);
        return byId != 0 ? byId : post.author().compareTo(author);
    }

    /**
     * The post at this place.
     *
     * @return a post with this time, id and author
     * @throws IllegalArgumentException if no post can have this position
     */
    public Post post() {
        return Post.of(author, id, millis);
    }

    /**
     * The immediate successor: no post lies between this position and the returned one. (The lowest legal character,
     * appended to the author, makes the next string among legal ids.)
     *
     * @return a position that includes this one as an exclusive upper bound, and excludes it as an inclusive lower
     *     bound
     */
    public Position next() {
        return new Position(millis, id, author + "!");
    }

    @Override
    public int compareTo(Position other) {
        int byTime = Long.compare(millis, other.millis);
        if (byTime != 0) {
            return byTime;
        }
        int byId = id.compareTo(other.id);
        return byId != 0 ? byId : author.compareTo(other.author);
    }

    /**
     * The higher of two positions.
     *
     * @param a a position
     * @param b a position
     * @return the one nearer to the top of the feed
     */
    public static Position max(Position a, Position b) {
        return Arguments.nonNull("a", a).compareTo(Arguments.nonNull("b", b)) >= 0 ? a : b;
    }

    /**
     * The lower of two positions.
     *
     * @param a a position
     * @param b a position
     * @return the one nearer to the bottom of the feed
     */
    public static Position min(Position a, Position b) {
        return Arguments.nonNull("a", a).compareTo(Arguments.nonNull("b", b)) <= 0 ? a : b;
    }
}
