package io.feedkit.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.InvalidCursorException;
import io.feedkit.InvalidRequestException;
import io.feedkit.Post;
import io.feedkit.internal.paging.RankPlace;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Cursors of ranked pages")
class RankCursorTest {

    private static final RankPlace PLACE = new RankPlace(0x0123456789abcdefL, 20);
    private static final RankCursor CURSOR = RankCursor.parse(PLACE.toString());

    private static String sealed(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] bytes() {
        return Base64.getUrlDecoder().decode(CURSOR.toString());
    }

    @Test
    @DisplayName("come back from their text as they were, in 22 characters that a URL takes as they are")
    void roundTrip() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            RankPlace place = new RankPlace(random.nextLong(), random.nextInt(65_536));
            RankCursor cursor = RankCursor.parse(place.toString());
            assertThat(cursor.toString()).matches("[A-Za-z0-9_-]{22}").isEqualTo(place.toString());
            assertThat(RankPlace.parse(cursor.toString())).isEqualTo(place);
            assertThat(cursor)
                    .isEqualTo(RankCursor.parse(cursor.toString()))
                    .hasSameHashCodeAs(RankCursor.parse(cursor.toString()));
        }
        assertThat(RankCursor.LENGTH).isEqualTo(22);
        assertThat(CURSOR).isNotEqualTo(RankCursor.parse(new RankPlace(1, 2).toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "R", "x", "nonsense", "====", "UgE", "ünicode", "\u0000", "   "})
    @DisplayName("are not made of other texts: the exception is that of a bad request, and names the text")
    void nonsense(String text) {
        assertThatThrownBy(() -> RankCursor.parse(text))
                .isInstanceOf(InvalidCursorException.class)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("cursor ");
    }

    @Test
    @DisplayName("are refused if they are altered, cut or longer")
    void altered() {
        String text = CURSOR.toString();
        for (int i = 0; i < text.length(); i++) {
            String altered = text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
            assertThatThrownBy(() -> RankCursor.parse(altered)).isInstanceOf(InvalidCursorException.class);
            String cut = text.substring(0, i);
            assertThatThrownBy(() -> RankCursor.parse(cut)).isInstanceOf(InvalidCursorException.class);
        }
        assertThatThrownBy(() -> RankCursor.parse(text + "A")).isInstanceOf(InvalidCursorException.class);
        assertThatThrownBy(() -> RankCursor.parse(text.repeat(1000)))
                .isInstanceOf(InvalidCursorException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
        assertThatThrownBy(() -> RankCursor.parse(text + "==")).isInstanceOf(InvalidCursorException.class);
        assertThatThrownBy(() -> RankCursor.parse(null))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageStartingWith("cursor must not be null");
    }

    @Test
    @DisplayName("of another version are refused, and the exception names the version")
    void version() {
        byte[] other = bytes();
        other[1] = 2;
        assertThatThrownBy(() -> RankCursor.parse(sealed(other)))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    @DisplayName("and cursors of feeds do not pass for each other")
    void otherKind() {
        String ofFeed = Cursor.of(Post.of("bob", "p1", 1)).toString();
        assertThatThrownBy(() -> RankCursor.parse(ofFeed))
                .isInstanceOf(InvalidCursorException.class)
                .hasMessageContaining("not a cursor of a ranked page");
        assertThatThrownBy(() -> Cursor.parse(CURSOR.toString())).isInstanceOf(InvalidCursorException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1001, Integer.MAX_VALUE})
    @DisplayName("and requests refuse limits and numbers of candidates out of range, by name and value")
    void limits(int bad) {
        assertThatThrownBy(() -> RankRequest.top(10, bad))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("limit must be between 1 and 1000, but is " + bad);
        assertThatThrownBy(() -> RankRequest.after(CURSOR, bad))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("limit must be between 1 and 1000, but is " + bad);
        assertThatThrownBy(() -> RankRequest.top(bad, 10))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("candidates must be between 1 and 1000, but is " + bad);
    }

    @Test
    @DisplayName("are described by their requests")
    void described() {
        assertThat(RankRequest.top(500, 20)).hasToString("top of 500 limit 20");
        assertThat(RankRequest.after(CURSOR, 20)).hasToString("after " + CURSOR + " limit 20");
        assertThat(RankRequest.top(500, 20).cursor()).isEmpty();
        assertThat(RankRequest.after(CURSOR, 20).cursor()).contains(CURSOR);
    }
}
