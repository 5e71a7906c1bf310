package io.feedkit.redis.internal.format;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes positions as bytes whose order is that of the positions, so that a script need not decode them.
 *
 * <p>Six bytes are the time, most significant first. The id follows in half bytes (nibbles). Each character has a code
 * that is no prefix of another code, and the codes are in the order of the characters. A digit takes one nibble,
 * because most ids are numbers; most other characters take two. The nibble 0 ends the id. The author begins with the
 * next whole byte. An odd nibble at the end is 0. A post with an id of 19 digits and an author of 10 takes 21 bytes.
 *
 * <table>
 * <caption>Codes</caption>
 * <tr><th>nibbles</th><th>characters</th></tr>
 * <tr><td>{@code 1 x}</td><td>{@code !} to {@code /}, x from 1</td></tr>
 * <tr><td>{@code 2} to {@code B}</td><td>{@code 0} to {@code 9}</td></tr>
 * <tr><td>{@code C x}, {@code D x}, {@code E x}</td><td>{@code :} to {@code i}</td></tr>
 * <tr><td>{@code F x}</td><td>{@code j} to {@code x}, x to {@code E}</td></tr>
 * <tr><td>{@code F F x}</td><td>{@code y} to {@code ~}; {@code F F F} is above all of them</td></tr>
 * </table>
 *
 * <p>A bound that is not a legal position is replaced by one with the same posts below it.
 */
public final class PositionCodec {

    private static final int TIME_BYTES = 6;
    private static final long HIGHEST_TIME = (1L << 48) - 1;
    private static final int MOST_NIBBLES = 3;

    private PositionCodec() {}

    public static byte[] of(Post post) {
        return of(Position.of(post));
    }

    public static byte[] of(Position position) {
        if (position.millis() >= HIGHEST_TIME) {
            return new Writer(HIGHEST_TIME, 0).end().bytes();
        }
        if (position.millis() < 0) {
            return new Writer(0, 0).end().bytes();
        }
        Writer writer = new Writer(
                position.millis(), position.id().length() + position.author().length());
        boolean legal = writer.text(position.id());
        writer.end();
        if (legal) {
            writer.text(position.author());
        }
        return writer.bytes();
    }

    /** An author, encoded as at the end of a position. */
    public static byte[] author(String author) {
        Writer writer = new Writer(0, author.length());
        writer.text(author);
        byte[] bytes = writer.bytes();
        return Arrays.copyOfRange(bytes, TIME_BYTES, bytes.length);
    }

    /** The bytes of a post's position that follow the time. */
    public static byte[] withoutTime(String author, String id) {
        byte[] bytes = of(new Position(0, id, author));
        return Arrays.copyOfRange(bytes, TIME_BYTES, bytes.length);
    }

    public static Position position(byte[] record) {
        return position(ByteBuffer.wrap(record));
    }

    /** The position at the end of some bytes. */
    public static Position position(byte[] bytes, int from) {
        return position(ByteBuffer.wrap(bytes, from, bytes.length - from).slice());
    }

    /** The position that some bytes encode. */
    public static Position position(ByteBuffer record) {
        Reader reader = new Reader(record);
        long millis = reader.time();
        return millis == HIGHEST_TIME ? Position.HIGHEST : new Position(millis, reader.text(), reader.text());
    }

    private static final class Writer {

        private final byte[] bytes;
        private int nibbles;

        Writer(long millis, int characters) {
            bytes = new byte[TIME_BYTES + (MOST_NIBBLES * characters) / 2 + 4];
            for (int shift = 44; shift >= 0; shift -= 4) {
                add((int) (millis >>> shift) & 0xF);
            }
        }

        /**
         * Returns whether all characters were legal. Characters after the first illegal one do not affect the order.
         */
        boolean text(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < '!') {
                    character('!');
                    return false;
                }
                if (c > '~') {
                    add(0xF);
                    add(0xF);
                    add(0xF);
                    return false;
                }
                character(c);
            }
            return true;
        }

        private void character(char c) {
            if (c < '0') {
                add(1);
                add(c - ' ');
            } else if (c <= '9') {
                add(2 + c - '0');
            } else if (c < 'j') {
                add(0xC + (c - ':') / 16);
                add((c - ':') % 16);
            } else if (c < 'y') {
                add(0xF);
                add(c - 'j');
            } else {
                add(0xF);
                add(0xF);
                add(c - 'y');
            }
        }

        Writer end() {
            add(0);
            nibbles += nibbles % 2;
            return this;
        }

        private void add(int nibble) {
            bytes[nibbles / 2] |= (byte) (nibbles % 2 == 0 ? nibble << 4 : nibble);
            nibbles++;
        }

        byte[] bytes() {
            return Arrays.copyOf(bytes, (nibbles + 1) / 2);
        }
    }

    private static final class Reader {

        private final ByteBuffer bytes;
        private final int nibbles;
        private int nibble;

        Reader(ByteBuffer bytes) {
            this.bytes = bytes;
            nibbles = 2 * bytes.limit();
        }

        long time() {
            long time = 0;
            for (int i = 0; i < 2 * TIME_BYTES; i++) {
                time = time << 4 | next();
            }
            return time;
        }

        String text() {
            byte[] text = new byte[nibbles - nibble];
            int length = 0;
            for (int code = next(); code != 0; code = next()) {
                text[length++] = (byte) character(code);
            }
            nibble += nibble % 2;
            return new String(text, 0, length, StandardCharsets.US_ASCII);
        }

        private int character(int code) {
            if (code == 1) {
                return ' ' + next();
            }
            if (code < 0xC) {
                return '0' + code - 2;
            }
            int second = next();
            if (code < 0xF) {
                return ':' + (code - 0xC) * 16 + second;
            }
            return second < 0xF ? 'j' + second : 'y' + next();
        }

        /** Beyond the end all nibbles are 0. */
        private int next() {
            if (nibble >= nibbles) {
                return 0;
            }
            int value = bytes.get(nibble / 2);
            value = nibble % 2 == 0 ? value >> 4 : value;
            nibble++;
            return value & 0xF;
        }
    }
}
