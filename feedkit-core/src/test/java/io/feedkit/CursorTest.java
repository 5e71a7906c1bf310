package io.feedkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.spi.Position;
import java.nio.ByteBuffer;
import java.util.Base64;
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
    private static final Position POSITION = new Position(1_700_000_000_123L, "post-1", "bob");

    static Stream<Position> positions() {
        Random random = new Random(42);
        Stream<Position> some = Stream.of(
                POSITION,
                Position.LOWEST,
                Position.HIGHEST,
                POSITION.next(),
                new Position(0, "!", "!"),
                new Position(Post.LATEST.toEpochMilli(), "~".repeat(64), "~".repeat(64)),
                new Position(1, "x".repeat(64), "y".repeat(64)).next());
        return Stream.concat(some, Stream.generate(() -> random(random)).limit(500));
    }

    private static Position random(Random random) {
        return new Position(
                random.nextLong() & (1L << random.nextInt(64)) - 1 & Long.MAX_VALUE, id(random), id(random));
    }

    private static String id(Random random) {
        return random.ints(1 + random.nextInt(64), 0, VISIBLE.length())
                .mapToObj(i -> VISIBLE.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    @Test
    @DisplayName("come back from their text as they were, in at most 192 characters that a URL takes as they are")
    void roundTrip() {
        assertThat(positions()).allSatisfy(position -> {
            Cursor cursor = Cursor.at(position);
            assertThat(cursor.toString()).matches("[A-Za-z0-9_-]{1,192}");
            assertThat(Cursor.parse(cursor.toString()).position()).isEqualTo(position);
            assertThat(Cursor.parse(cursor.toString()))
                    .isEqualTo(cursor)
                    .hasSameHashCodeAs(cursor)
                    .hasToString(cursor.toString());
        });
    }

    @Test
    @DisplayName("are equal exactly if their places are")
    void equality() {
        assertThat(Cursor.at(POSITION))
                .isEqualTo(Cursor.at(new Position(1_700_000_000_123L, "post-1", "bob")))
                .isNotEqualTo(Cursor.at(POSITION.next()))
                .isNotEqualTo(POSITION)
                .isNotEqualTo(null);
    }

    @Test
    @DisplayName("keep their text from release to release")
    void stableText() {
        assertThat(Cursor.at(POSITION)).hasToString("AQAAAYvP5Wh7BnBvc3QtMWJvYiVNOdo");
    }

    @Test
    @DisplayName("are refused when cut short at any length")
    void truncated() {
        String text = Cursor.at(POSITION).toString();
        assertThat(IntStream.range(0, text.length()))
                .allSatisfy(length -> assertInvalid(() -> Cursor.parse(text.substring(0, length))));
        assertThat(IntStream.range(1, text.length()))
                .allSatisfy(from -> assertInvalid(() -> Cursor.parse(text.substring(from))));
    }

    @Test
    @DisplayName("are refused when any bit of any byte is altered")
    void altered() {
        byte[] bytes = Base64.getUrlDecoder().decode(Cursor.at(POSITION).toString());
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
        String text = Cursor.at(POSITION).toString();
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
        String text = Cursor.at(POSITION).toString();
        for (char c = 0; c < 256; c++) {
            char extra = c;
            assertInvalid(() -> Cursor.parse(text + extra));
            assertInvalid(() -> Cursor.parse(extra + text));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 127, -128, -1})
    @DisplayName("of another version are refused, and the message names the version")
    void otherVersion(int version) {
        byte[] bytes = Base64.getUrlDecoder().decode(Cursor.at(POSITION).toString());
        bytes[0] = (byte) version;
        assertThatThrownBy(() -> Cursor.parse(encode(sealed(bytes))))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("version " + (byte) version);
    }

    static Stream<byte[]> impossible() {
        return Stream.of(
                raw(-1, "a", 1, "b"),
                raw(Long.MIN_VALUE, "a", 1, "b"),
                raw(1, "a", 2, ""),
                raw(1, "a", -1, "b"),
                raw(1, "a", 127, "b"),
                raw(1, "x".repeat(65), 65, "b"),
                raw(1, "a", 1, "y".repeat(66)),
                raw(1, " ", 1, "b"),
                raw(1, "a", 1, "\u007f"),
                raw(1, "\u00e9", 1, "b"),
                raw(1, "a", 1, "\n"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    @DisplayName("with a good checksum over impossible values are refused")
    void impossibleValues(byte[] bytes) {
        assertThatThrownBy(() -> Cursor.parse(encode(sealed(bytes))))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("impossible");
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
            byte[] bytes = new byte[random.nextInt(140)];
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

    private static byte[] raw(long millis, String id, int idLength, String author) {
        byte[] bytes = new byte[14 + id.length() + author.length()];
        ByteBuffer.wrap(bytes)
                .put((byte) 1)
                .putLong(millis)
                .put((byte) idLength)
                .put(id.getBytes(ISO_8859_1))
                .put(author.getBytes(ISO_8859_1));
        return bytes;
    }

    private static byte[] sealed(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return bytes;
    }
}
