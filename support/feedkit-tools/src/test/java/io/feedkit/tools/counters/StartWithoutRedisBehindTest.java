package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.ForeignStoreException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind Redis, in a process that starts while Redis is dead,")
@Timeout(120)
class StartWithoutRedisBehindTest {

    private final CountersBehind behind = new CountersBehind();
    private final RedisServer redis = RedisServer.start(Durability.FAST);

    @AfterEach
    void close() {
        redis.close();
        behind.close();
    }

    private WriteBehindCounterStore store(String uri, CounterSource source) {
        return WriteBehindCounterStore.builder(RedisServers.at(uri), source)
                .flushInterval(CountersBehind.NEVER)
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    @Test
    @DisplayName("are those of SQL, and take what goes to SQL; the rest works when Redis is back")
    void later() {
        Counters.of(behind.sql()).add("plays", "song", 10);
        redis.kill();
        try (WriteBehindCounterStore store = store(redis.uri(), behind.sql())) {
            Counters counters = Counters.of(store);
            Reactions likes = Reactions.of(store);
            assertThat(counters.get("plays", "song")).isEqualTo(10);
            assertThat(likes.add("ann", "p")).isTrue();
            assertThat(likes.get(List.of("p"))).containsExactly(1L);
            assertThat(store.isRedisReachable()).isFalse();
            assertThat(store.warnings()).isEmpty();
            assertThatThrownBy(() -> counters.add("plays", "song", 1))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + redis.port());
            assertThatThrownBy(store::flush).isInstanceOf(StoreUnavailableException.class);
            redis.restart();
            await().until(() -> counters.get("plays", "song") == 10 && store.isRedisReachable());
            counters.add("plays", "song", 1);
            assertThat(counters.get("plays", "song")).isEqualTo(11);
            assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(10);
            store.flush();
            assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(11);
        }
    }

    @Test
    @DisplayName("do not get the changes of another source of truth that Redis comes back with")
    void foreign() {
        try (WriteBehindCounterStore theirs = store(redis.uri(), behind.sql());
                CountersBehind others = new CountersBehind()) {
            Counters.of(theirs).add("plays", "song", 5);
            redis.ask("SAVE");
            redis.kill();
            try (WriteBehindCounterStore store = store(redis.uri(), others.sql())) {
                Counters counters = Counters.of(store);
                assertThat(counters.get("plays", "song")).isZero();
                redis.restart();
                await().untilAsserted(() -> assertThatThrownBy(() -> counters.get("plays", "song"))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasCauseInstanceOf(ForeignStoreException.class));
                assertThatThrownBy(store::flush).isInstanceOf(ForeignStoreException.class);
                assertThatThrownBy(() -> counters.add("plays", "song", 1))
                        .hasCauseInstanceOf(ForeignStoreException.class);
            }
            assertThat(Counters.of(others.sql()).get("plays", "song")).isZero();
            await().ignoreExceptions().until(() -> theirs.flush() == 1);
            assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(5);
        }
    }

    @Test
    @DisplayName("are refused if SQL does not answer either, or if Redis is there and refuses or is another's")
    void refused() {
        CounterSource dead = behind.before("identity", () -> {
            throw new StoreUnavailableException("source.identity", new IllegalStateException("down"));
        });
        assertThatThrownBy(() -> store(redis.uri().replace("redis://", "redis://nobody:wrong@"), behind.sql()))
                .isInstanceOf(UnusableServerException.class);
        store(redis.uri(), behind.sql()).close();
        try (CountersBehind others = new CountersBehind()) {
            assertThatThrownBy(() -> store(redis.uri(), others.sql())).isInstanceOf(ForeignStoreException.class);
        }
        redis.kill();
        assertThatThrownBy(() -> store(redis.uri(), dead))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("source.identity");
    }
}
