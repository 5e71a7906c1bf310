package io.feedkit.redis;

import static io.feedkit.redis.TestRedis.commands;
import static io.feedkit.redis.TestRedis.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.seen.RedisSeenMarks;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Marks in Redis")
class MarksOnRedisTest {

    private final TestRedis redis = new TestRedis();
    private final SeenMarks seenMarks = new RedisSeenMarks(redis.link(), redis.keys(), redis.timer());

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    @DisplayName("of thousands of readers are raised and read at once")
    void many() {
        List<Seen> seen = IntStream.range(0, 30_000)
                .mapToObj(i -> new Seen("r" + i, SeenPosts.upTo(new Position(i, "p", "bob"))))
                .toList();
        seenMarks.markSeen(seen);
        assertThat(seenMarks.lastSeen(seen.stream().map(Seen::reader).toList()))
                .isEqualTo(seen.stream().map(Seen::posts).toList());
    }

    @Test
    @DisplayName("that are foreign are refused, named and left alone")
    void foreign() {
        String key = text(redis.keys().ofUser("seen", "ann"));
        commands().set(key, "mine");
        assertThatThrownBy(() ->
                        seenMarks.markSeen(List.of(new Seen("ann", SeenPosts.upTo(new Position(1, "p", "bob"))))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> seenMarks.lastSeen(List.of("cid", "ann")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(key);
        assertThat(commands().get(key)).isEqualTo("mine");
    }
}
