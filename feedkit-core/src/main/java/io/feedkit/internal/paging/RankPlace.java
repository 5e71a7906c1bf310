package io.feedkit.internal.paging;

import io.feedkit.InvalidCursorException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@link io.feedkit.rank.RankCursor}, which describes the format.
 *
 * @param snapshot the name of the stored order
 * @param place how many posts of the stored order lie before this place, 0 to 65,535
 */
public record RankPlace(long snapshot, int place) {

    /** The length of the text: 16 bytes in base64. */
    public static final int LENGTH = 22;

    private static final byte KIND = 'R';
    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 1 + Long.BYTES + Short.BYTES + Integer.BYTES;

    /** Parses a text; throws {@link InvalidCursorException} if it is not a place of this version. */
    public static RankPlace parse(@Nullable String text) {
        if (text == null) {
            throw new InvalidCursorException("must not be null", "");
        }
        byte[] bytes;
        try {
            bytes = text.length() > 2 * LENGTH
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidCursorException("is not base64url", text);
        }
        if (bytes.length < 2 || bytes[0] != KIND) {
            throw new InvalidCursorException("is not a cursor of a ranked page", text);
        }
        if (bytes[1] != VERSION) {
            throw new InvalidCursorException(
                    "has version " + bytes[1] + ", but only version " + VERSION + " can be read", text);
        }
        if (bytes.length != BYTES) {
            throw new InvalidCursorException("has " + text.length() + " characters, but must have " + LENGTH, text);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 2, BYTES - 2);
        RankPlace place = new RankPlace(in.getLong(), Short.toUnsignedInt(in.getShort()));
        // The text of a place is unique, so this also checks the checksum.
        if (!place.toString().equals(text)) {
            throw new InvalidCursorException("has a wrong checksum: it was altered", text);
        }
        return place;
    }

    @Override
    public String toString() {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .put(KIND)
                .put(VERSION)
                .putLong(snapshot)
                .putShort((short) place);
        CRC32 crc = new CRC32();
        crc.update(out.array(), 0, BYTES - Integer.BYTES);
        out.putInt((int) crc.getValue());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }
}
