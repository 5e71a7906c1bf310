package io.feedkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.spi.Ids;
import io.feedkit.spi.Position;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;

/**
 * A place in a feed, as an opaque text that fits into a URL. It names a position in time, not an entry, so it stays good when posts come and go around it,
 * and whatever the fan-out policy is. It is not secret and not signed: whoever can read a feed may read it from any place.
 *
 * <p>Version 1 is base64url of: version (1 byte), milliseconds (8), length of the id (1), id, author, CRC-32 of all before (4).
 */
public final class Cursor {

    /** The longest text of a cursor. */
    public static final int MAX_LENGTH = 192;

    private static final byte VERSION = 1;
    private static final int FIXED = 1 + Long.BYTES + 1 + Integer.BYTES;

    private final Position position;

    private Cursor(Position position) {
        this.position = position;
    }

    static Cursor at(Position position) {
        return new Cursor(position);
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
            throw new InvalidCursorException("has version " + bytes[0] + ", but this is version " + VERSION, text);
        }
        if (bytes.length < FIXED || ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES) != checksum(bytes)) {
            throw new InvalidCursorException("is cut short or altered", text);
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
        int authorLength = in.remaining() - idLength;
        if (millis < 0
                || idLength < 0
                || authorLength < 0
                || idLength > Ids.MAX_LENGTH
                || authorLength > Ids.MAX_LENGTH + 1) {
            throw new InvalidCursorException("holds impossible values", text);
        }
        String id = new String(bytes, in.position(), idLength, ISO_8859_1);
        String author = new String(bytes, in.position() + idLength, authorLength, ISO_8859_1);
        if (!visible(id) || !visible(author)) {
            throw new InvalidCursorException("holds impossible values", text);
        }
        return new Cursor(new Position(millis, id, author));
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
        return position;
    }

    /**
     * The cursor's text.
     *
     * @return at most {@value #MAX_LENGTH} characters of the URL-safe base64 alphabet
     */
    @Override
    public String toString() {
        String id = position.id();
        String author = position.author();
        byte[] bytes = new byte[FIXED + id.length() + author.length()];
        ByteBuffer out = ByteBuffer.wrap(bytes)
                .put(VERSION)
                .putLong(position.millis())
                .put((byte) id.length())
                .put(id.getBytes(ISO_8859_1))
                .put(author.getBytes(ISO_8859_1));
        out.putInt(checksum(bytes));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cursor cursor && position.equals(cursor.position);
    }

    @Override
    public int hashCode() {
        return position.hashCode();
    }
}
