package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Posts")
class PostTest {

    @Test
    @DisplayName("keep their time to the millisecond")
    void milliseconds() {
        assertThat(new Post("bob", "p", Instant.parse("2026-01-01T00:00:00.123999999Z")))
                .isEqualTo(Post.of("bob", "p", 1_767_225_600_123L));
    }

    @Test
    @DisplayName("may be of the first and of the last moment")
    void bounds() {
        assertThat(new Post("bob", "p", Post.EARLIEST).publishedAt()).isEqualTo(Instant.EPOCH);
        assertThat(new Post("bob", "p", Post.LATEST.plusNanos(999_999)).publishedAt())
                .isEqualTo(Post.LATEST);
        assertThat(Post.LATEST.toEpochMilli()).isLessThan(1L << 48);
    }

    @Test
    @DisplayName("are identified by author and id, without the time")
    void key() {
        assertThat(Post.of("bob", "p", 1).key()).isEqualTo(new PostKey("bob", "p"));
        assertThat(Post.of("bob", "p", 1).key())
                .isNotEqualTo(Post.of("cat", "p", 1).key());
    }
}
