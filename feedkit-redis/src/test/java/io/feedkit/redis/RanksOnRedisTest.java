package io.feedkit.redis;

import static io.feedkit.redis.TestRedis.commands;
import static io.feedkit.redis.TestRedis.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.rank.RedisRankSnapshots;
import io.feedkit.spi.RankSnapshots;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranked orders in Redis")
class RanksOnRedisTest {

    private static final byte[] ORDER = {1, 2, 3};

    private final TestRedis redis = new TestRedis();
    private final RankSnapshots snapshots =
            new RedisRankSnapshots(redis.link(), redis.keys(), new ScriptClock(Optional.empty()));
    private final String key = text(redis.keys().ofUser("ranks", "ann"));

    @AfterEach
    void close() {
        redis.close();
    }

    private static String name(int n) {
        return String.format("%016x", n);
    }

    @Test
    @DisplayName("are in one key of their reader, which expires with the last of them")
    void expiry() {
        snapshots.save("ann", name(1), ORDER, 600_000);
        assertThat(redis.allKeys()).containsExactly(key);
        assertThat(commands().pttl(key)).isBetween(590_000L, 600_000L);
        snapshots.save("ann", name(2), ORDER, 60_000);
        assertThat(commands().pttl(key)).isBetween(590_000L, 600_000L);
        snapshots.save("ann", name(3), ORDER, 1_200_000);
        assertThat(commands().pttl(key)).isBetween(1_190_000L, 1_200_000L);
        assertThat(commands().hlen(key)).isEqualTo(4);
    }

    @Test
    @DisplayName("that are removed leave nothing behind")
    void bounded() {
        for (int n = 0; n < 100; n++) {
            snapshots.save("ann", name(n), ORDER, 600_000);
        }
        assertThat(commands().hlen(key)).isEqualTo(RankSnapshots.KEPT + 1L);
    }

    @Test
    @DisplayName("of another version are refused, named and left alone")
    void foreign() {
        commands().hset(key, " list", "\2 of another version");
        assertThatThrownBy(() -> snapshots.save("ann", name(1), ORDER, 1000))
                .isInstanceOf(FeedKitException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> snapshots.load("ann", name(1)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(key);
        assertThat(commands().hlen(key)).isEqualTo(1);
    }

    @Test
    @DisplayName("whose list was lost are gone, and do not come back")
    void lostPart() {
        snapshots.save("ann", name(1), ORDER, 600_000);
        commands().hdel(key, " list");
        assertThat(snapshots.load("ann", name(1))).isEmpty();
        snapshots.save("ann", name(2), ORDER, 600_000);
        assertThat(snapshots.load("ann", name(1))).isEmpty();
        assertThat(snapshots.load("ann", name(2))).contains(ORDER);
    }
}
