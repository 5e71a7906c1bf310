package io.feedkit.spi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.Post;
import io.feedkit.internal.check.Arguments;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The posts of a feed that a client has been shown, or that a reader has seen: every post up to a place, and the posts
 * in a list. Cursors and seen marks are made of it. Immutable.
 *
 * <p>The list has every shown post from the key {@code since} on, whether below the place or above it. So a later read
 * of the feed can distinguish a post that arrived late below the place from a post that was shown. It also knows the
 * shown posts that are dated ahead of the place. Posts below {@code since} and not above the place count as shown.
 *
 * <p>The list is bounded by {@link #LOOKBACK_MILLIS} and {@link #LIST_BYTES}. Posts that do not fit raise
 * {@code since}, one by one, from the lowest. If a post above the place does not fit, the place rises above that post.
 * So a late post may be missed, but no shown post counts as new.
 *
 * <p>A store keeps a value as {@link #toBytes} returns it, and combines two values by {@link #and}.
 *
 * @since 0.1.0
 */
public final class SeenPosts {

    /**
     * How far below the place the list reaches. It must be longer than a push takes, than the difference between two
     * engines' clocks, than a clock is set back, and than the unit of coarse time stamps, which is often a minute.
     */
    public static final long LOOKBACK_MILLIS = 120_000;

    /**
     * The most bytes of the list. A post takes four bytes, and each time that has posts takes two to four more. So the
     * list holds 89 posts of one time, or about 50 posts at seconds' distance.
     */
    public static final int LIST_BYTES = 360;

    private static final int MOST_ID_BYTES = 64;
    private static final int MOST_AUTHOR_BYTES = MOST_ID_BYTES + 1;
    private static final int MOST_SINCE_BYTES = 3 + Integer.BYTES;
    private static final String MALFORMED = "the bytes do not hold seen posts";
    private static final int VARINT_BITS = 7;
    private static final int MORE = 1 << VARINT_BITS;

    /** The most bytes of {@link #toBytes}. */
    public static final int MOST_BYTES =
            Long.BYTES + 1 + 1 + MOST_ID_BYTES + MOST_AUTHOR_BYTES + MOST_SINCE_BYTES + LIST_BYTES;

    /** No posts. */
    public static final SeenPosts NOTHING = new SeenPosts(Position.LOWEST, Listed.first(0), List.of());

    /**
     * A post in a few bytes. Two posts of one time have the same hash with a probability of 2<sup>-32</sup>; then one
     * of them counts as shown if the other was.
     *
     * @param millis the post's time
     * @param hash the CRC-32 of its author, a space, and its id
     */
    public record Listed(long millis, int hash) implements Comparable<Listed> {

        /**
         * The key of a post.
         *
         * @param post the post
         * @return its key
         */
        public static Listed of(Post post) {
            CRC32 crc = new CRC32();
            crc.update((Arguments.nonNull("post", post).author() + " " + post.id()).getBytes(ISO_8859_1));
            return new Listed(post.publishedAt().toEpochMilli(), (int) crc.getValue());
        }

        /**
         * The lowest key of a time.
         *
         * @param millis the time
         * @return the key
         */
        public static Listed first(long millis) {
            return new Listed(millis, Integer.MIN_VALUE);
        }

        private Listed next() {
            return hash == Integer.MAX_VALUE ? first(millis + 1) : new Listed(millis, hash + 1);
        }

        @Override
        public int compareTo(Listed other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : Integer.compare(hash, other.hash);
        }
    }

    private final Position upTo;
    private final Listed since;
    private final List<Listed> listed;

    private SeenPosts(Position upTo, Listed since, List<Listed> listed) {
        this.upTo = upTo;
        this.since = since;
        this.listed = listed;
    }

    /**
     * All posts up to a place, without a list.
     *
     * @param place the place
     * @return the posts
     */
    public static SeenPosts upTo(Position place) {
        return new SeenPosts(Arguments.nonNull("place", place), Listed.first(place.millis() + 1), List.of());
    }

    /**
     * All posts up to a place, and listed ones, as far as they fit.
     *
     * @param place the place
     * @param since no lower key is listed
     * @param shown the keys of all posts that were shown from {@code since} on, and possibly of more
     * @return the posts
     */
    public static SeenPosts of(Position place, Listed since, Collection<Listed> shown) {
        Listed end = Listed.first(Arguments.nonNull("place", place).millis() + 1);
        Listed lookback = Listed.first(Math.max(0, place.millis() - LOOKBACK_MILLIS));
        Listed from = min(end, max(Arguments.nonNull("since", since), lookback));
        List<Listed> descending = new ArrayList<>();
        for (Listed key : Arguments.nonNull("shown", shown)) {
            if (key.compareTo(from) >= 0) {
                descending.add(key);
            }
        }
        // Usually ascending, but for a few keys at the end: the sort takes advantage of that.
        descending.sort(Comparator.reverseOrder());
        List<Listed> fitting = new ArrayList<>();
        int bytes = 0;
        long millis = place.millis();
        for (Listed key : descending) {
            if (!fitting.isEmpty() && fitting.get(fitting.size() - 1).equals(key)) {
                continue;
            }
            boolean sameTime = !fitting.isEmpty() && key.millis() == millis;
            bytes += Integer.BYTES + (sameTime ? 0 : 1 + varintBytes(zigzag(millis - key.millis())));
            if (bytes > LIST_BYTES) {
                return new SeenPosts(covering(place, key), key.next(), ascending(fitting));
            }
            millis = key.millis();
            fitting.add(key);
        }
        return new SeenPosts(place, from, ascending(fitting));
    }

    /** The place, or the end of a post's millisecond if the post may lie above the place. */
    private static Position covering(Position place, Listed key) {
        boolean above = key.millis() > place.millis()
                || (key.millis() == place.millis() && place.id().isEmpty());
        return above ? new Position(key.millis() + 1, "", "") : place;
    }

    private static List<Listed> ascending(List<Listed> descending) {
        Collections.reverse(descending);
        return Collections.unmodifiableList(descending);
    }

    /**
     * The place up to which posts count as shown unless they are late.
     *
     * @return the place
     */
    public Position upTo() {
        return upTo;
    }

    /**
     * The lowest key that a later read checks again.
     *
     * @return the key; above the time of the place if no time is checked again
     */
    public Listed since() {
        return since;
    }

    /**
     * The shown posts from {@link #since} on.
     *
     * @return their keys, ascending
     */
    public List<Listed> listed() {
        return listed;
    }

    /**
     * The range that can hold posts that were not shown.
     *
     * @return a range without an upper bound
     */
    public PositionRange rest() {
        return PositionRange.from(Position.min(new Position(since.millis(), "", ""), upTo.next()));
    }

    /**
     * The lowest position above which no post was shown.
     *
     * @return the place, or a position above the highest listed post
     */
    public Position highest() {
        return listed.isEmpty()
                ? upTo
                : Position.max(upTo, new Position(listed.get(listed.size() - 1).millis() + 1, "", ""));
    }

    /**
     * Returns whether a post was shown.
     *
     * @param post the post
     * @return true if the post is listed, or lies below the keys that are checked again
     */
    public boolean contains(Post post) {
        long millis = post.publishedAt().toEpochMilli();
        boolean covered = upTo.compareOf(post) <= 0;
        if (millis < since.millis() || listed.isEmpty()) {
            return covered && millis < since.millis();
        }
        Listed key = Listed.of(post);
        return (covered && key.compareTo(since) < 0) || Collections.binarySearch(listed, key) >= 0;
    }

    /**
     * How many posts are listed.
     *
     * @return the number
     */
    public int size() {
        return listed.size();
    }

    /**
     * The posts of this value and those of another one, in any order of calls. The result has all posts of both values.
     * It has other posts only if the list is full.
     *
     * @param other the other posts
     * @return the posts of both
     */
    public SeenPosts and(SeenPosts other) {
        List<Listed> all = new ArrayList<>(listed);
        all.addAll(other.listed);
        return of(Position.max(upTo, other.upTo), max(since, other.since), all);
    }

    /**
     * These posts with a place that is not above another one. Listed posts stay listed. If the list begins above that
     * place, by at most the lookback, the place is where the list begins: the posts below it were shown, and are not
     * listed.
     *
     * @param most the highest place
     * @return the posts
     */
    public SeenPosts notAbove(Position most) {
        // The list may begin within a millisecond: then its first posts were shown, too.
        long shown = since.equals(Listed.first(since.millis())) ? since.millis() : since.millis() + 1;
        long begin = Math.min(shown, most.millis() + LOOKBACK_MILLIS);
        Position place = listed.isEmpty() ? most : Position.max(most, new Position(begin, "", ""));
        return upTo.compareTo(place) <= 0 ? this : of(place, since, listed);
    }

    /**
     * These posts in at most {@link #MOST_BYTES} bytes, numbers with the highest byte first:
     *
     * <table>
     * <caption>Fields</caption>
     * <tr><th>bytes</th><th>field</th></tr>
     * <tr><td>8</td><td>time of the place, in milliseconds</td></tr>
     * <tr><td>1, 1</td><td>lengths of id and author of the place</td></tr>
     * <tr><td>0 to 129</td><td>id, author</td></tr>
     * <tr><td>1 to 3</td><td>how many milliseconds are checked again, counted down from the millisecond of the place; 0
     * if there are none</td></tr>
     * <tr><td>4</td><td>the lowest hash that is checked again in the first of them; missing if there are none</td></tr>
     * <tr><td colspan="2">for each time in the list, from the highest:</td></tr>
     * <tr><td>1 to 9</td><td>how many milliseconds the time lies below the previous one, or the first time below the
     * place; an even number is twice the distance, an odd number is of a time above</td></tr>
     * <tr><td>1</td><td>the number of listed posts</td></tr>
     * <tr><td>4 each</td><td>their hashes, ascending</td></tr>
     * </table>
     *
     * <p>Distances are encoded with seven bits a byte, the lowest bits first; all bytes but the last have the highest
     * bit set.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(MOST_BYTES + Long.BYTES)
                .putLong(upTo.millis())
                .put((byte) upTo.id().length())
                .put((byte) upTo.author().length())
                .put(upTo.id().getBytes(ISO_8859_1))
                .put(upTo.author().getBytes(ISO_8859_1));
        putVarint(out, upTo.millis() + 1 - since.millis());
        if (since.millis() <= upTo.millis()) {
            out.putInt(since.hash());
        }
        long millis = upTo.millis();
        for (int end = listed.size(); end > 0; ) {
            long time = listed.get(end - 1).millis();
            int begin = end;
            while (begin > 0 && listed.get(begin - 1).millis() == time) {
                begin--;
            }
            putVarint(out, zigzag(millis - time));
            out.put((byte) (end - begin));
            listed.subList(begin, end).forEach(key -> out.putInt(key.hash()));
            millis = time;
            end = begin;
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Reads the bytes of {@link #toBytes}.
     *
     * @param bytes the bytes
     * @return the posts
     * @throws IllegalArgumentException if the bytes are not such bytes
     */
    public static SeenPosts of(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(Arguments.nonNull("bytes", bytes));
        try {
            long millis = in.getLong();
            int idLength = in.get();
            int authorLength = in.get();
            require(isTime(millis)
                    && idLength >= 0
                    && idLength <= MOST_ID_BYTES
                    && authorLength >= 0
                    && authorLength <= MOST_AUTHOR_BYTES);
            Position place = new Position(millis, id(in, idLength), id(in, authorLength));
            long covered = varint(in);
            require(covered >= 0 && covered <= millis + 1);
            Listed since = covered == 0 ? Listed.first(millis + 1) : new Listed(millis + 1 - covered, in.getInt());
            SeenPosts posts = of(place, since, list(in, millis));
            require(Arrays.equals(posts.toBytes(), bytes));
            return posts;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(MALFORMED, e);
        }
    }

    private static List<Listed> list(ByteBuffer in, long placeMillis) {
        List<Listed> listed = new ArrayList<>();
        long time = placeMillis;
        while (in.hasRemaining()) {
            long distance = varint(in);
            time -= (distance >>> 1) ^ -(distance & 1);
            int count = in.get();
            require(isTime(time) && count > 0);
            for (int i = 0; i < count; i++) {
                listed.add(new Listed(time, in.getInt()));
            }
        }
        return listed;
    }

    private static String id(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        String id = new String(bytes, ISO_8859_1);
        require(id.chars().allMatch(c -> c >= '!' && c <= '~'));
        return id;
    }

    private static boolean isTime(long millis) {
        return millis >= 0 && millis <= Post.LATEST.toEpochMilli() + 1;
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException(MALFORMED);
        }
    }

    /** Maps a signed number to one without a sign that is small if the number is near zero. */
    private static long zigzag(long number) {
        return (number << 1) ^ (number >> (Long.SIZE - 1));
    }

    private static int varintBytes(long number) {
        int bytes = 1;
        for (long rest = number >>> VARINT_BITS; rest != 0; rest >>>= VARINT_BITS) {
            bytes++;
        }
        return bytes;
    }

    private static void putVarint(ByteBuffer out, long number) {
        long rest = number;
        while (rest >= MORE) {
            out.put((byte) ((rest & (MORE - 1)) | MORE));
            rest >>>= VARINT_BITS;
        }
        out.put((byte) rest);
    }

    private static long varint(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
            byte next = in.get();
            number |= (long) (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException(MALFORMED);
    }

    private static Listed min(Listed a, Listed b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Listed max(Listed a, Listed b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof SeenPosts seen
                        && upTo.equals(seen.upTo)
                        && since.equals(seen.since)
                        && listed.equals(seen.listed));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * upTo.hashCode() + since.hashCode()) + listed.hashCode();
    }

    @Override
    public String toString() {
        return "up to " + upTo + ", since " + since + ", listed " + listed;
    }
}
