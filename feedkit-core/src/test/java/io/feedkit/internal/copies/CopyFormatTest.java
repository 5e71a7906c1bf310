package io.feedkit.internal.copies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.internal.copies.CopyFormat.Flaw;
import io.feedkit.internal.copies.CopyFormat.FlawedException;
import io.feedkit.internal.copies.CopyFormat.Packed;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bytes of a copy")
class CopyFormatTest {

    private static final String IDENTITY = "4b5c8a52-0a5b-4a6e-9f6a-000000000001";

    private static Copy copy(int followees, int posts) {
        List<Post> newest = IntStream.range(0, posts)
                .mapToObj(n -> Post.of("author-" + n % 230, "p" + n + "x".repeat(n % 50), 2_000_000_000_000L - n))
                .toList();
        long[] numbers = LongStream.range(0, followees).map(n -> n * 7919 - 5).toArray();
        return new Copy("ann", -77, 1_900_000_000_000L, numbers, new Position(12, "id", "author"), newest);
    }

    private static void assertSame(Copy one, Copy other) {
        assertThat(other.reader()).isEqualTo(one.reader());
        assertThat(other.token()).isEqualTo(one.token());
        assertThat(other.mark()).isEqualTo(one.mark());
        assertThat(other.floor()).isEqualTo(one.floor());
        assertThat(other.followees()).isEqualTo(one.followees());
        assertThat(other.posts()).isEqualTo(one.posts());
    }

    @Test
    @DisplayName("give back the copy, also the smallest and the largest")
    void back() throws FlawedException {
        for (Copy copy : List.of(
                copy(0, 0), copy(1, 1), copy(8_001, 201), copy(CopyFormat.MOST_FOLLOWEES, CopyFormat.MOST_POSTS))) {
            Packed packed = CopyFormat.pack(IDENTITY, copy);
            assertThat(packed.parts()).hasSizeLessThanOrEqualTo(InboxCopies.MOST_PARTS);
            assertThat(packed.parts())
                    .allSatisfy(part -> assertThat(part.content()).hasSizeLessThanOrEqualTo(InboxCopies.MOST_BYTES));
            assertSame(copy, CopyFormat.unpack(IDENTITY, packed.head(), packed.parts()));
        }
    }

    private static void assertFlawed(Flaw flaw, String identity, Head head, List<Part> parts) {
        assertThatThrownBy(() -> CopyFormat.unpack(identity, head, parts))
                .isInstanceOfSatisfying(
                        FlawedException.class,
                        flawed -> assertThat(flawed.flaw()).isEqualTo(flaw));
    }

    @Test
    @DisplayName("show every changed bit")
    void damaged() {
        Packed packed = CopyFormat.pack(IDENTITY, copy(3, 4));
        for (int i = 0; i < packed.head().content().length * Byte.SIZE; i++) {
            packed.head().content()[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
            assertFlawed(i < Byte.SIZE ? Flaw.OTHER_VERSION : Flaw.DAMAGED, IDENTITY, packed.head(), packed.parts());
            packed.head().content()[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
        }
        for (Part part : packed.parts()) {
            for (int i = 0; i < part.content().length * Byte.SIZE; i++) {
                part.content()[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
                assertFlawed(Flaw.DAMAGED, IDENTITY, packed.head(), packed.parts());
                part.content()[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
            }
        }
    }

    @Test
    @DisplayName("show what is cut off, missing, or of another copy, reader or source of truth")
    void others() {
        Packed packed = CopyFormat.pack(IDENTITY, copy(3, 300));
        Head head = packed.head();
        for (int missing = 0; missing < packed.parts().size(); missing++) {
            List<Part> parts = new ArrayList<>(packed.parts());
            parts.remove(missing);
            assertFlawed(Flaw.INCOMPLETE, IDENTITY, head, parts);
        }
        List<Part> others = CopyFormat.pack(IDENTITY, copy(3, 299)).parts();
        assertFlawed(Flaw.DAMAGED, IDENTITY, head, others);
        assertFlawed(Flaw.DAMAGED, "another", head, packed.parts());
        assertFlawed(Flaw.DAMAGED, IDENTITY, new Head("ben", head.token(), head.content()), packed.parts());
        assertFlawed(Flaw.DAMAGED, IDENTITY, new Head("ann", 1, head.content()), packed.parts());
        for (int length : List.of(0, 1, 4, 5, head.content().length - 1)) {
            byte[] cut = Arrays.copyOf(head.content(), length);
            assertFlawed(Flaw.DAMAGED, IDENTITY, new Head("ann", head.token(), cut), packed.parts());
        }
    }
}
