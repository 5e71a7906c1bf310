package io.feedkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.SeenPosts.Listed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Cursors")
class CursorTest {

    private static final String VISIBLE =
            IntStream.rangeClosed('!', '~').mapToObj(Character::toString).collect(Collectors.joining());
    private static final long MILLIS = 1_700_000_000_123L;
    private static final Position POSITION = new Position(MILLIS, "post-1", "bob");
    private static final int LONGEST = 686;

    /** With two posts listed. */
    private static final Cursor CURSOR = Cursor.of(SeenPosts.of(
            POSITION, Listed.first(MILLIS - 9), List.of(new Listed(MILLIS, 0x01020304), new Listed(MILLIS - 8, -1))));

    static Stream<Position> positions() {
        Random random = new Random(42);
        Stream<Position> some = Stream.of(
                POSITION,
                Position.LOWEST,
                new Position(MILLIS, "", ""),
                POSITION.next(),
                new Position(0, "!", "!"),
                new Position(Post.LATEST.toEpochMilli(), "~".repeat(64), "~".repeat(64)),
                new Position(1, "x".repeat(64), "y".repeat(64)).next());
        return Stream.concat(some, Stream.generate(() -> random(random)).limit(500));
    }

    private static Position random(Random random) {
        long millis = random.nextLong() & (1L << random.nextInt(48)) - 1;
        return new Position(Math.min(millis, Post.LATEST.toEpochMilli()), id(random), id(random));
    }

    /** With lists of every length and span. */
    static Stream<Cursor> cursors() {
        Random random = new Random(43);
        return positions()
                .flatMap(position -> Stream.of(
                        Cursor.at(position, false), Cursor.at(position, true), Cursor.of(shown(random, position))));
    }

    private static SeenPosts shown(Random random, Position upTo) {
        int span = 1 + random.nextInt(130_000);
        long step = 1L + random.nextInt(2000);
        List<Listed> listed = new ArrayList<>();
        for (int i = random.nextInt(120); i > 0; i--) {
            long distance = (random.nextInt(span) - span / 10L) / step * step;
            long millis = Math.max(0, Math.min(upTo.millis() - distance, Post.LATEST.toEpochMilli()));
            listed.add(new Listed(millis, random.nextInt()));
        }
        return SeenPosts.of(upTo, Listed.first(Math.max(0, upTo.millis() - random.nextInt(span))), listed);
    }

    private static String id(Random random) {
        return random.ints(1 + random.nextInt(64), 0, VISIBLE.length())
                .mapToObj(i -> VISIBLE.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    @Test
    @DisplayName("come back from their text as they were, in at most 686 characters that a URL takes as they are")
    void roundTrip() {
        assertThat(cursors()).allSatisfy(cursor -> {
            assertThat(cursor.toString()).matches("[A-Za-z0-9_-]{1,686}");
            assertThat(Cursor.parse(cursor.toString()).position()).isEqualTo(cursor.position());
            assertThat(Cursor.parse(cursor.toString()).shown()).isEqualTo(cursor.shown());
            assertThat(Cursor.parse(cursor.toString()))
                    .isEqualTo(cursor)
                    .hasSameHashCodeAs(cursor)
                    .hasToString(cursor.toString());
        });
    }

    @Test
    @DisplayName("are no longer than the bound at their longest, and need nearly all of it")
    void longest() {
        Position upTo = new Position(Post.LATEST.toEpochMilli(), "x".repeat(64), "y".repeat(64)).next();
        List<Listed> listed = IntStream.range(0, 100)
                .mapToObj(i -> new Listed(upTo.millis() - 119_000 + i * 1190L, i))
                .toList();
        Cursor cursor = Cursor.of(SeenPosts.of(upTo, Listed.first(0), listed));
        assertThat(cursor.toString()).hasSizeBetween(LONGEST - 15, LONGEST);
        assertThat(Cursor.MAX_LENGTH).isEqualTo(LONGEST);
    }

    @Test
    @DisplayName("are equal exactly if their places are, and what they list")
    void equality() {
        assertThat(Cursor.at(POSITION, false))
                .isEqualTo(Cursor.at(new Position(MILLIS, "post-1", "bob"), false))
                .isNotEqualTo(Cursor.at(POSITION.next(), false))
                .isNotEqualTo(Cursor.of(SeenPosts.of(POSITION, Listed.first(MILLIS), List.of())))
                .isNotEqualTo(CURSOR)
                .isNotEqualTo(POSITION)
                .isNotEqualTo(null);
        assertThat(Cursor.of(SeenPosts.of(POSITION, Listed.first(MILLIS), List.of(new Listed(MILLIS, 1)))))
                .isEqualTo(Cursor.of(SeenPosts.of(
                        POSITION, Listed.first(MILLIS), List.of(new Listed(MILLIS, 1), new Listed(MILLIS, 1)))))
                .isNotEqualTo(Cursor.of(SeenPosts.of(POSITION, Listed.first(MILLIS), List.of(new Listed(MILLIS, 2)))))
                .isNotEqualTo(
                        Cursor.of(SeenPosts.of(POSITION, Listed.first(MILLIS - 1), List.of(new Listed(MILLIS, 1)))));
    }

    @Test
    @DisplayName("keep their text from release to release")
    void stableText() {
        assertThat(Cursor.at(POSITION, false)).hasToString("AwAAAAGLz-VoewYDcG9zdC0xYm9iAMtDB0U");
        assertThat(CURSOR).hasToString("AwAAAAGLz-VoewYDcG9zdC0xYm9iCoAAAAAAAQECAwQQAf____8QzTB7");
        SeenPosts ahead = SeenPosts.of(
                POSITION,
                Listed.first(MILLIS - 120_000),
                List.of(new Listed(MILLIS, 1), new Listed(MILLIS + 290_000, 2)));
        assertThat(Cursor.of(ahead)).hasToString("AwAAAAGLz-VoewYDcG9zdC0xYm9iwakHgAAAAJ-zIwEAAAACoLMjAQAAAAHME8hH");
    }

    @Test
    @DisplayName("are refused when cut short at any length")
    void truncated() {
        String text = CURSOR.toString();
        assertThat(IntStream.range(0, text.length()))
                .allSatisfy(length -> assertInvalid(() -> Cursor.parse(text.substring(0, length))));
        assertThat(IntStream.range(1, text.length()))
                .allSatisfy(from -> assertInvalid(() -> Cursor.parse(text.substring(from))));
    }

    @Test
    @DisplayName("are refused when any bit of any byte is altered")
    void altered() {
        byte[] bytes = Base64.getUrlDecoder().decode(CURSOR.toString());
        for (int i = 0; i < bytes.length; i++) {
            for (int mask = 1; mask < 256; mask++) {
                byte[] copy = bytes.clone();
                copy[i] ^= (byte) mask;
                assertInvalid(() -> Cursor.parse(encode(copy)));
            }
        }
    }

    @Test
    @DisplayName("are refused when any character is replaced, also by one that decodes to the same bytes")
    void replaced() {
        String text = CURSOR.toString();
        for (int i = 0; i < text.length(); i++) {
            for (char c = 0; c < 256; c++) {
                if (c != text.charAt(i)) {
                    String other = text.substring(0, i) + c + text.substring(i + 1);
                    assertInvalid(() -> Cursor.parse(other));
                }
            }
        }
    }

    @Test
    @DisplayName("are refused with anything appended or put before")
    void extended() {
        String text = CURSOR.toString();
        for (char c = 0; c < 256; c++) {
            char extra = c;
            assertInvalid(() -> Cursor.parse(text + extra));
            assertInvalid(() -> Cursor.parse(extra + text));
        }
    }

    @Test
    @DisplayName("cover the posts up to their place, without late ones, and listed posts above it")
    void covers() {
        Post shown = Post.of("bob", "shown", MILLIS - 1);
        Post ahead = Post.of("bob", "ahead", MILLIS + 5);
        Cursor cursor = Cursor.of(
                SeenPosts.of(POSITION, Listed.first(MILLIS - 9), List.of(Listed.of(ahead), Listed.of(shown))));
        assertThat(List.of(shown, ahead, Post.of("bob", "below", MILLIS - 10))).allMatch(cursor::covers);
        assertThat(List.of(Post.of("bob", "late", MILLIS - 1), Post.of("bob", "above", MILLIS + 5)))
                .noneMatch(cursor::covers);
        Cursor place = Cursor.of(shown);
        assertThat(place.covers(shown)).isTrue();
        assertThat(place.covers(Post.of("bob", "shown2", MILLIS - 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 127, -128, -1})
    @DisplayName("of another version are refused, and the message names the version")
    void otherVersion(int version) {
        byte[] bytes = Base64.getUrlDecoder().decode(CURSOR.toString());
        bytes[0] = (byte) version;
        assertThatThrownBy(() -> Cursor.parse(encode(sealed(bytes))))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("version " + (byte) version);
    }

    @Test
    @DisplayName("of version 1 are refused, and the message names the version")
    void versionOne() {
        assertThatThrownBy(() -> Cursor.parse("AQAAAYvP5Wh7BnBvc3QtMWJvYiVNOdo"))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("has version 1, but only version 3 can be read");
    }

    static Stream<byte[]> impossible() {
        long tooLate = Post.LATEST.toEpochMilli() + 2;
        return Stream.of(
                raw(-1, "a", 1, "b", 1, 0),
                raw(Long.MIN_VALUE, "a", 1, "b", 1, 0),
                raw(Long.MAX_VALUE, "a", 1, "b", 1, 0),
                raw(tooLate, "a", 1, "b", 1, 0),
                raw(1, "a", 2, "", 1, 0),
                raw(1, "a", -1, "b", 1, 0),
                raw(1, "a", 1, "b", -1, 0),
                raw(1, "a", 127, "b", 1, 0),
                raw(1, "a", 1, "b", 127, 0),
                raw(1, "a", 1, "b", 0, 0),
                raw(1, "a", 1, "b", 2, 0),
                raw(1, "x".repeat(65), 65, "b", 1, 0),
                raw(1, "a", 1, "y".repeat(66), 66, 0),
                raw(1, " ", 1, "b", 1, 0),
                raw(1, "a", 1, "\u007f", 1, 0),
                raw(1, "\u00e9", 1, "b", 1, 0),
                raw(1, "a", 1, "\n", 1, 0),
                raw(1, "a", 1, "b", 1),
                raw(1, "a", 1, "b", 1, 3, 0, 0, 0, 0),
                raw(1, "a", 1, "b", 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1),
                raw(5, "a", 1, "b", 1, list(1, 12, 1)),
                raw(MILLIS, "a", 1, "b", 1, list(1, 0, 0)),
                raw(MILLIS, "a", 1, "b", 1, list(1, 0, -1)));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    @DisplayName("with a good checksum over impossible values are refused")
    void impossibleValues(byte[] bytes) {
        assertThatThrownBy(() -> Cursor.parse(encode(sealed(bytes))))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("out of range");
    }

    static Stream<byte[]> uncanonical() {
        return Stream.of(
                raw(MILLIS, "a", 1, "b", 1, 0x80, 0),
                raw(MILLIS, "a", 1, "b", 1, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0),
                raw(MILLIS, "a", 1, "b", 1, list(1, 2, 1, 7)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 0, 2, 7, 7)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 0, 2, 8, 7)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 0, 1, 7, 0, 1, 8)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 2, 1, 7, 1, 1, 8)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 0, 2, 7)));
    }

    @ParameterizedTest
    @MethodSource("uncanonical")
    @DisplayName("that list more than a cursor may, posts beyond the listed time, or in another order, are refused")
    void uncanonicalLists(byte[] bytes) {
        assertThatThrownBy(() -> Cursor.parse(encode(sealed(bytes))))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("canonical");
    }

    @Test
    @DisplayName("are accepted with all that they may list")
    void accepted() {
        for (byte[] bytes : List.of(
                raw(MILLIS, "a", 1, "b", 1, list(3, 1, 1, 9, 2, 2, 7, 8)),
                raw(MILLIS, "a", 1, "b", 1, list(3, 4, 1, 7)),
                raw(0, "", 0, "", 0, list(1)),
                raw(Post.LATEST.toEpochMilli(), "a", 1, "b", 1, 0))) {
            String text = encode(sealed(bytes));
            assertThat(Cursor.parse(text)).hasToString(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "=",
                "==",
                "====",
                "A",
                "AQ",
                "AQ==",
                "null",
                "%00",
                "../../etc/passwd",
                "\u0000",
                "\ud83d\ude00",
                "<script>",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    @DisplayName("that are garbage are refused")
    void garbage(String text) {
        assertInvalid(() -> Cursor.parse(text));
    }

    @Test
    @DisplayName("that are random garbage are refused")
    void randomGarbage() {
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(260)];
            random.nextBytes(bytes);
            assertInvalid(() -> Cursor.parse(encode(bytes)));
            assertInvalid(() -> Cursor.parse(new String(bytes, ISO_8859_1)));
        }
    }

    @Test
    @DisplayName("of a megabyte are refused by their length, in a short message")
    void megabyte() {
        assertThatThrownBy(() -> Cursor.parse("A".repeat(1 << 20)))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("has 1048576")
                .message()
                .hasSizeLessThan(200);
    }

    @Test
    @DisplayName("that are null are refused")
    void none() {
        assertThatThrownBy(() -> Cursor.parse(null))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageStartingWith("cursor must not be null");
    }

    private static void assertInvalid(ThrowingCallable parse) {
        assertThatThrownBy(parse)
                .isInstanceOf(InvalidCursorException.class)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cursor ");
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The bytes of a list: the covered milliseconds, the lowest hash, and in turn a distance, a number of hashes, and
     * as many hashes.
     */
    private static int[] list(int covered, int... rest) {
        List<Integer> bytes = new ArrayList<>(List.of(covered, 0x80, 0, 0, 0));
        int left = -1;
        for (int value : rest) {
            if (left > 0) {
                bytes.addAll(List.of(0, 0, 0, value));
                left--;
            } else {
                bytes.add(value);
                left = left == 0 || left == -1 ? -2 : value;
            }
        }
        return bytes.stream().mapToInt(i -> i).toArray();
    }

    private static byte[] raw(long millis, String id, int idLength, String author, int authorLength, int... rest) {
        byte[] bytes = new byte[16 + id.length() + author.length() + rest.length];
        ByteBuffer out = ByteBuffer.wrap(bytes)
                .put((byte) 3)
                .put((byte) 0)
                .putLong(millis)
                .put((byte) idLength)
                .put((byte) authorLength)
                .put(id.getBytes(ISO_8859_1))
                .put(author.getBytes(ISO_8859_1));
        for (int next : rest) {
            out.put((byte) next);
        }
        return bytes;
    }

    private static byte[] sealed(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return bytes;
    }
}
