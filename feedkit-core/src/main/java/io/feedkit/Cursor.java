package io.feedkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.internal.check.Ids;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.internal.paging.ShownPosts.Listed;
import io.feedkit.spi.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A place in a feed, as an opaque text that fits into a URL. A cursor names a position in time, not an entry. So it
 * stays valid when posts come and go around it, and under every fan-out policy. A cursor is neither secret nor signed:
 * a client that can read a feed may read it from any place.
 *
 * <p>A cursor names only posts that were shown. If a page broke off among posts that the host hides, the cursor has the
 * time of the last of these posts and nothing else. Such a page has looked at all posts of that millisecond. A host may
 * want to hide such times, or to accept only cursors that it gave to the client. Such a host seals the text: it
 * encrypts the text with its own key (AES-GCM, for example), bound to the reader, and gives {@link #parse} the
 * decrypted text. The client still learns that something was passed over.
 *
 * <p>The cursor of {@link FeedPage#newer()} also lists the posts that were shown in the last milliseconds up to its
 * place. {@link PageRequest#newer} needs that list to find posts that arrive late.
 *
 * <p>Version 2 is base64url of these fields, numbers with the highest byte first:
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>8</td><td>time of the place, in milliseconds</td></tr>
 * <tr><td>1, 1</td><td>lengths of id and author</td></tr>
 * <tr><td>0 to 129</td><td>id, author</td></tr>
 * <tr><td>2</td><td>how many milliseconds the list covers, counted down from the millisecond of the place; 0 if there
 * is no list</td></tr> <tr><td>2, 4</td><td>for each listed post, lowest first: milliseconds below the place, and the
 * CRC-32 of author, space and id</td></tr> <tr><td>4</td><td>CRC-32 of all bytes before</td></tr> </table>
 */
public final class Cursor {

    /** The longest text of a cursor. */
    public static final int MAX_LENGTH = 324;

    private static final byte VERSION = 2;
    private static final int FIXED = 1 + Long.BYTES + 1 + 1 + Short.BYTES + Integer.BYTES;
    private static final int PER_POST = Short.BYTES + Integer.BYTES;

    private final ShownPosts shown;

    private Cursor(ShownPosts shown) {
        this.shown = shown;
    }

    static Cursor at(Position position) {
        return new Cursor(ShownPosts.upTo(position));
    }

    static Cursor of(ShownPosts shown) {
        return new Cursor(shown);
    }

    /**
     * Reads a cursor's text.
     *
     * @param text what {@link #toString()} gave
     * @return the cursor
     * @throws InvalidCursorException if the text is anything else
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
        if (bytes[0] != VERSION) {
            throw new InvalidCursorException(
                    "has version " + bytes[0] + ", but only version " + VERSION + " can be read", text);
        }
        if (bytes.length < FIXED || ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES) != checksum(bytes)) {
            throw new InvalidCursorException("was cut short or altered: its checksum is wrong", text);
        }
        Cursor cursor = decode(bytes, text);
        if (!cursor.toString().equals(text)) {
            throw new InvalidCursorException("is not in its canonical form", text);
        }
        return cursor;
    }

    private static Cursor decode(byte[] bytes, String text) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1 - Integer.BYTES);
        long millis = in.getLong();
        int idLength = in.get();
        int authorLength = in.get();
        int rest = in.remaining() - idLength - authorLength - Short.BYTES;
        if (millis < 0
                || millis > Post.LATEST.toEpochMilli()
                || idLength < 0
                || authorLength < 0
                || idLength > Ids.MAX_LENGTH
                || authorLength > Ids.MAX_LENGTH + 1
                || rest < 0
                || rest % PER_POST != 0) {
            throw new InvalidCursorException("holds values that are out of range", text);
        }
        String id = text(in, idLength);
        String author = text(in, authorLength);
        if (!visible(id) || !visible(author)) {
            throw new InvalidCursorException("holds values that are out of range", text);
        }
        long since = millis + 1 - Short.toUnsignedInt(in.getShort());
        List<Listed> listed = new ArrayList<>();
        while (in.hasRemaining()) {
            listed.add(new Listed(millis - Short.toUnsignedInt(in.getShort()), in.getInt()));
        }
        return new Cursor(ShownPosts.of(new Position(millis, id, author), since, listed));
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, ISO_8859_1);
    }

    private static boolean visible(String id) {
        return id.chars().allMatch(c -> c >= '!' && c <= '~');
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        return (int) crc.getValue();
    }

    Position position() {
        return shown.upTo();
    }

    ShownPosts shown() {
        return shown;
    }

    /**
     * The cursor's text.
     *
     * @return at most {@value #MAX_LENGTH} characters of the URL-safe base64 alphabet
     */
    @Override
    public String toString() {
        Position position = shown.upTo();
        long millis = position.millis();
        String id = position.id();
        String author = position.author();
        int list = PER_POST * shown.listed().size();
        byte[] bytes = new byte[FIXED + id.length() + author.length() + list];
        ByteBuffer out = ByteBuffer.wrap(bytes)
                .put(VERSION)
                .putLong(millis)
                .put((byte) id.length())
                .put((byte) author.length())
                .put(id.getBytes(ISO_8859_1))
                .put(author.getBytes(ISO_8859_1))
                .putShort((short) (millis + 1 - shown.since()));
        for (Listed post : shown.listed()) {
            out.putShort((short) (millis - post.millis())).putInt(post.hash());
        }
        out.putInt(checksum(bytes));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cursor cursor && shown.equals(cursor.shown);
    }

    @Override
    public int hashCode() {
        return shown.hashCode();
    }
}
