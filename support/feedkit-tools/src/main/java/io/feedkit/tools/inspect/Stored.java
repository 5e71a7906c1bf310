package io.feedkit.tools.inspect;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/** Stored bytes, read from front to back. {@code docs/reference/redis-format.md} describes the formats. */
final class Stored {

    private static final int TIME_BYTES = 6;
    private static final long HIGHEST_TIME = (1L << 48) - 1;

    private final byte[] bytes;
    private int next;

    private Stored(byte[] bytes) {
        this.bytes = bytes;
    }

    static Stored of(byte[] bytes) {
        return new Stored(bytes);
    }

    /** A string of the server as text. */
    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** A time in milliseconds since the epoch, as text. */
    static String time(long millis) {
        return millis == HIGHEST_TIME ? "never" : Instant.ofEpochMilli(millis).toString();
    }

    boolean hasMore() {
        return next < bytes.length;
    }

    int number() {
        return Byte.toUnsignedInt(bytes[next++]);
    }

    long number(int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | number();
        }
        return number;
    }

    /**
     * Skips the version of the format.
     *
     * @throws IllegalStateException if it is not 1
     */
    Stored version(String key) {
        return version(1, key);
    }

    /**
     * Skips a version of the format.
     *
     * @throws IllegalStateException if it is another version
     */
    Stored version(int expected, String key) {
        if (!hasMore() || number() != expected) {
            throw new IllegalStateException("cannot read " + key + ": its format is not version " + expected);
        }
        return this;
    }

    String time() {
        return time(number(TIME_BYTES));
    }

    char letter() {
        return (char) number();
    }

    String hex(int length) {
        return HexFormat.of().formatHex(take(length));
    }

    String text(int length) {
        return text(take(length));
    }

    String utf8(int length) {
        return new String(take(length), StandardCharsets.UTF_8);
    }

    /** The bytes after a byte with their length. */
    byte[] counted() {
        return take(number());
    }

    byte[] rest() {
        return take(bytes.length - next);
    }

    private byte[] take(int length) {
        next += length;
        return Arrays.copyOfRange(bytes, next - length, next);
    }

    /** The text of a record, which is a position: time, author, id. */
    static String position(byte[] record) {
        if (Stored.of(record).number(TIME_BYTES) == HIGHEST_TIME) {
            return "above all";
        }
        Stored from = new Stored(record);
        String time = from.time();
        Nibbles nibbles = new Nibbles(record, 2 * TIME_BYTES);
        String id = nibbles.text();
        String author = nibbles.text();
        return id.isEmpty() && author.isEmpty() ? "from " + time : time + " " + author + "/" + id;
    }

    /** Half bytes. {@code docs/reference/redis-format.md} has a table of their codes. */
    private static final class Nibbles {

        private final byte[] bytes;
        private int next;

        Nibbles(byte[] bytes, int next) {
            this.bytes = bytes;
            this.next = next;
        }

        /** Reads up to the half byte that ends the text, and skips to the next whole byte. */
        String text() {
            StringBuilder text = new StringBuilder();
            for (int code = take(); code != 0; code = take()) {
                text.append(character(code));
            }
            next += next % 2;
            return text.toString();
        }

        private char character(int code) {
            return switch (code) {
                case 0x1 -> (char) (' ' + take());
                case 0xC -> (char) (':' + take());
                case 0xD -> (char) ('J' + take());
                case 0xE -> (char) ('Z' + take());
                case 0xF -> afterF(take());
                default -> (char) ('0' + code - 2);
            };
        }

        private char afterF(int code) {
            return code == 0xF ? (char) ('y' + take()) : (char) ('j' + code);
        }

        private int take() {
            if (next >= 2 * bytes.length) {
                return 0;
            }
            int both = bytes[next / 2];
            return (next++ % 2 == 0 ? both >> 4 : both) & 0xF;
        }
    }
}
