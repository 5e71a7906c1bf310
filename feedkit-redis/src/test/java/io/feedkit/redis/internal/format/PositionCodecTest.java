package io.feedkit.redis.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record")
class PositionCodecTest {

    private static final int SAMPLES = 1200;

    private final Random random = new Random(3);

    /** A short text of few characters, often a prefix of another, so that every rule of the order is met. */
    private String text() {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(4);
        for (int i = 0; i < length; i++) {
            text.append(
                    random.nextBoolean()
                            ? (char) ('!' + random.nextInt('~' - '!' + 1))
                            : (char) ('0' + random.nextInt(3)));
        }
        return text.toString();
    }

    private List<Position> positions() {
        List<Position> positions = new ArrayList<>(List.of(Position.LOWEST, Position.HIGHEST));
        for (int i = 0; i < SAMPLES; i++) {
            Position position = new Position(random.nextInt(2), text(), text());
            positions.add(position);
            positions.add(position.next());
            positions.add(new Position(position.millis(), position.id(), ""));
        }
        return positions;
    }

    @Test
    @DisplayName("orders by its bytes as its position is ordered")
    void order() {
        List<Position> positions = positions();
        for (int i = 1; i < positions.size(); i++) {
            Position a = positions.get(i - 1);
            Position b = positions.get(random.nextInt(positions.size()));
            assertThat(Integer.signum(Arrays.compareUnsigned(PositionCodec.of(a), PositionCodec.of(b))))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(a.compareTo(b)));
        }
    }

    @Test
    @DisplayName("gives its position back")
    void roundTrip() {
        for (Position position : positions()) {
            assertThat(PositionCodec.position(PositionCodec.of(position))).isEqualTo(position);
        }
        for (char c = '!'; c <= '~'; c++) {
            Post post = Post.of("a" + c, c + "b", Post.LATEST.toEpochMilli());
            assertThat(PositionCodec.position(PositionCodec.of(post)).post()).isEqualTo(post);
        }
    }

    @Test
    @DisplayName("of a post of 19 digits by an author of 10 takes 21 bytes, and reads like them")
    void size() {
        byte[] record = PositionCodec.of(Post.of("1029384756", "1234567890123456789", 1_760_000_000_000L));
        assertThat(record).hasSize(21);
        assertThat(HexFormat.of().formatHex(record)).isEqualTo("0199c82cc0003456789ab23456789ab0324b5a6978");
    }

    @Test
    @DisplayName("ends with its author as a purge looks for it")
    void author() {
        for (Position position : positions()) {
            byte[] record = PositionCodec.of(position);
            byte[] author = PositionCodec.author(position.author());
            assertThat(Arrays.copyOfRange(record, record.length - author.length, record.length))
                    .isEqualTo(author);
        }
    }

    @Test
    @DisplayName("of a bound that no post can have has the same posts below it")
    void bounds() {
        List<Position> bounds = List.of(
                new Position(1, "ab ", "c"),
                new Position(1, "ab\u00e9", "c"),
                new Position(1, "ab", "c\n"),
                new Position(1, "ab", "c\uffff"),
                new Position(1, "", "zzz"),
                new Position(1, "x".repeat(500), ""),
                new Position(-5, "ab", "c"),
                new Position(Long.MAX_VALUE, "ab", "c"),
                new Position(Long.MIN_VALUE, "ab", "c"));
        for (Position post : positions()) {
            if (post.id().isEmpty() || post.author().isEmpty()) {
                continue;
            }
            for (Position bound : bounds) {
                assertThat(Arrays.compareUnsigned(PositionCodec.of(post), PositionCodec.of(bound)) < 0)
                        .as("%s below %s", post, bound)
                        .isEqualTo(post.compareTo(bound) < 0);
            }
        }
    }
}
