package io.feedkit;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32;

/**
 * A place in a feed, as an opaque text that fits into a URL. A cursor names a position in time, not an entry. So it
 * stays valid when posts come and go around it, and under every fan-out policy. A cursor is neither secret nor signed:
 * a client that can read a feed may read it from any place.
 *
 * <p>A cursor names only posts that were shown. If a page ended among posts that the host hides, the cursor contains
 * only the time of the last of these posts. Such a page has examined all posts of that millisecond. A host may want to
 * hide such times, or to accept only cursors that it gave to the client. Such a host seals the text: it encrypts the
 * text with its own key (AES-GCM, for example), bound to the reader, and gives {@link #parse} the decrypted text. The
 * client still learns that posts were skipped.
 *
 * <p>The cursor of {@link FeedPage#newer()} also lists the posts that were shown in the last two minutes up to its
 * place, and those dated ahead of its place. {@link PageRequest#newer} needs that list to find posts that arrive late.
 *
 * <p>Version 3 is base64url of these fields, numbers with the highest byte first:
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>1</td><td>1 if a walk continues in the outboxes from here, else 0</td></tr>
 * <tr><td>12 or more</td><td>the shown posts, as {@link SeenPosts#toBytes} gives them</td></tr>
 * <tr><td>4</td><td>CRC-32 of all bytes before</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class Cursor {

    /** The longest text of a cursor. */
    public static final int MAX_LENGTH = 686;

    private static final byte VERSION = 3;
    private static final int LEAST_BYTES = 1 + 1 + Long.BYTES + 1 + 1 + 1 + Integer.BYTES;

    private final SeenPosts shown;
    private final boolean beyondInbox;

    private Cursor(SeenPosts shown, boolean beyondInbox) {
        this.shown = shown;
        this.beyondInbox = beyondInbox;
    }

    /**
     * Creates a cursor at which a walk continues.
     *
     * @param beyondInbox whether the walk continues in the outboxes, because the page was not read from the inbox
     */
    static Cursor at(Position position, boolean beyondInbox) {
        return new Cursor(SeenPosts.upTo(position), beyondInbox);
    }

    static Cursor of(SeenPosts shown) {
        return of(shown, false);
    }

    /**
     * Creates a cursor from the posts that were shown.
     *
     * @param beyondInbox as in {@link #at}
     */
    static Cursor of(SeenPosts shown, boolean beyondInbox) {
        return new Cursor(shown, beyondInbox);
    }

    /**
     * The place of a post that the host knows. {@link PageRequest#older} then gives the posts right below it, and
     * {@link PageRequest#atOrOlder} begins with the post itself. The post need not exist.
     *
     * @param post the post
     * @return its place, which lists no shown posts
     * @throws IllegalArgumentException if the post is null
     */
    public static Cursor of(Post post) {
        return at(Position.of(nonNull("post", post)), false);
    }

    /**
     * The place of a time, below all posts of that millisecond. {@link PageRequest#older} then gives the posts from
     * before the time, and {@link PageRequest#newer} those from the time on.
     *
     * @param time from {@link Post#EARLIEST} to {@link Post#LATEST}; a part of a millisecond is cut off
     * @return the place, which lists no shown posts
     * @throws IllegalArgumentException if the time is null or out of range
     */
    public static Cursor at(Instant time) {
        if (nonNull("time", time).isBefore(Post.EARLIEST) || time.isAfter(Post.LATEST)) {
            throw new IllegalArgumentException(
                    "time must be between " + Post.EARLIEST + " and " + Post.LATEST + ", but is " + time);
        }
        return at(new Position(time.toEpochMilli(), "", ""), false);
    }

    /**
     * Parses the text of a cursor.
     *
     * @param text what {@link #toString()} gave
     * @return the cursor
     * @throws InvalidCursorException if the text is not a cursor of this version
     */
    public static Cursor parse(String text) {
        if (text == null) {
            throw new InvalidCursorException("must not be null", "");
        }
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new InvalidCursorException(
                    "must have 1 to " + MAX_LENGTH + " characters, but has " + text.length(), text);
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidCursorException("is not base64url", text);
        }
        // Every version ends with the checksum.
        if (bytes.length <= Integer.BYTES
                || ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES) != checksum(bytes)) {
            throw new InvalidCursorException(
                    "has a wrong checksum: it was cut short or altered, or is not a cursor", text);
        }
        if (bytes[0] != VERSION) {
            throw new InvalidCursorException(
                    "has version " + bytes[0] + ", but only version " + VERSION + " can be read", text);
        }
        if (bytes.length < LEAST_BYTES) {
            throw new InvalidCursorException("is too short", text);
        }
        Cursor cursor = decode(bytes, text);
        if (!cursor.toString().equals(text)) {
            throw new InvalidCursorException("is not in its canonical form", text);
        }
        return cursor;
    }

    private static Cursor decode(byte[] bytes, String text) {
        try {
            if (bytes[1] < 0 || bytes[1] > 1) {
                throw new IllegalArgumentException();
            }
            SeenPosts shown = SeenPosts.of(Arrays.copyOfRange(bytes, 2, bytes.length - Integer.BYTES));
            return new Cursor(shown, bytes[1] == 1);
        } catch (IllegalArgumentException e) {
            throw new InvalidCursorException(
                    "holds values that are out of range, or not in their canonical form", text);
        }
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        return (int) crc.getValue();
    }

    /**
     * Returns whether a post counts as shown to the client that holds this cursor, or, for a
     * {@link FeedEngine#seenMark}, as seen by the reader: the post lies up to the cursor's place and did not arrive
     * late, or the cursor lists it.
     *
     * @param post the post
     * @return false if the post is new
     * @throws IllegalArgumentException if the post is null
     */
    public boolean covers(Post post) {
        return shown.contains(nonNull("post", post));
    }

    Position position() {
        return shown.upTo();
    }

    boolean isBeyondInbox() {
        return beyondInbox;
    }

    SeenPosts shown() {
        return shown;
    }

    /**
     * The cursor's text.
     *
     * @return at most {@value #MAX_LENGTH} characters of the URL-safe base64 alphabet
     */
    @Override
    public String toString() {
        byte[] list = shown.toBytes();
        byte[] bytes = new byte[1 + 1 + list.length + Integer.BYTES];
        ByteBuffer out = ByteBuffer.wrap(bytes)
                .put(VERSION)
                .put((byte) (beyondInbox ? 1 : 0))
                .put(list);
        out.putInt(checksum(bytes));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cursor cursor && shown.equals(cursor.shown) && beyondInbox == cursor.beyondInbox;
    }

    @Override
    public int hashCode() {
        return 31 * shown.hashCode() + Boolean.hashCode(beyondInbox);
    }
}
