package io.feedkit.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PulledAuthorsTest {

    private static final int AUTHORS = 40;

    private final Position newest = Position.of(Post.of("author", "p", 1));

    @Test
    @DisplayName(
            "authors of whom a store knows only one rough bound are all looked at where a page has come down to it")
    void ties() {
        PulledAuthors above = chosen(PositionRange.ALL);
        assertThat(above.authors()).hasSize(20);
        assertThat(above.others()).hasValue(newest);
        PulledAuthors there = chosen(new PositionRange(Position.LOWEST, newest.next()));
        assertThat(there.authors()).hasSize(AUTHORS);
        assertThat(there.others()).isEmpty();
    }

    private PulledAuthors chosen(PositionRange range) {
        return PulledAuthors.of(
                IntStream.range(0, AUTHORS)
                        .mapToObj(i -> new PulledAuthors.Candidate("author" + i, newest))
                        .toList(),
                author -> true,
                range,
                Order.NEWEST_FIRST,
                20);
    }
}
