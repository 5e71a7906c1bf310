package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.unread.UnreadCounter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind a Redis that comes back from an older state")
@Timeout(120)
class RestoredRedisTest {

    private final CountersBehind behind = new CountersBehind();
    private final RedisServer redis = RedisServer.start(Durability.FAST);
    private final WriteBehindCounterStore store = store(behind.sql());
    private final Counters counters = Counters.of(store);

    @AfterEach
    void close() {
        store.close();
        redis.close();
        behind.close();
    }

    private WriteBehindCounterStore store(CounterSource source) {
        return WriteBehindCounterStore.builder(RedisServers.at(redis.uri()), source)
                .flushInterval(CountersBehind.NEVER)
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    private long inSql() {
        return Counters.of(behind.sql()).get("plays", "song");
    }

    private void add(long amount) {
        counters.add("plays", "song", amount);
    }

    /** Kills the server, which then has what it saved last. */
    private void restore() {
        redis.kill();
        redis.restart();
        await().until(() -> counters.get("plays", "other") == 0 && store.isRedisReachable());
    }

    @Test
    @DisplayName("count what was added after it was back, as often as it comes back")
    void added() {
        add(10);
        store.flush();
        redis.ask("SAVE");
        add(5);
        store.flush();
        long expected = 15;
        for (int times = 0; times < 3; times++) {
            restore();
            assertThat(counters.get("plays", "song")).isEqualTo(expected);
            add(21);
            add(1);
            expected += 22;
            assertThat(counters.get("plays", "song")).isEqualTo(expected);
            store.flush();
            assertThat(inSql()).isEqualTo(expected);
            assertThat(counters.get("plays", "song")).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("count what was added before, if the server still has it, and was not written")
    void unwritten() {
        add(10);
        store.flush();
        add(7);
        redis.ask("SAVE");
        for (int times = 1; times < 4; times++) {
            restore();
            add(3);
            redis.ask("SAVE");
            assertThat(counters.get("plays", "song")).isEqualTo(17 + 3L * times);
        }
        store.flush();
        assertThat(inSql()).isEqualTo(26);
        restore();
        store.flush();
        assertThat(inSql()).isEqualTo(26);
        add(1);
        store.flush();
        assertThat(inSql()).isEqualTo(27);
    }

    @Test
    @DisplayName("count nothing twice that was written before it was first claimed in the older state")
    void unclaimed() {
        add(10);
        redis.ask("SAVE");
        store.flush();
        long expected = 10;
        for (int times = 0; times < 3; times++) {
            restore();
            store.flush();
            assertThat(inSql()).isEqualTo(expected);
            add(1);
            expected++;
            store.flush();
            assertThat(inSql()).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("count all, however often the server was another one before anything was written")
    void manyTimes() {
        int times = 40;
        for (int i = 0; i < times; i++) {
            add(1);
            redis.ask("DEBUG", "CHANGE-REPL-ID");
        }
        assertThat(counters.get("plays", "song")).isEqualTo(times);
        for (int i = 0; i < 2; i++) {
            behind.inTransaction(
                    store,
                    true,
                    joined -> joined.raise(List.of(new Raise(
                            new CellKey(new Owner(Space.COUNTERS, "song"), "plays"),
                            0,
                            0,
                            Optional.empty(),
                            When.PRESENT))));
            assertThat(inSql()).isEqualTo(times);
            assertThat(counters.get("plays", "song")).isEqualTo(times);
        }
        store.flush();
        assertThat(inSql()).isEqualTo(times);
        add(1);
        store.flush();
        assertThat(inSql()).isEqualTo(times + 1);
    }

    @Test
    @DisplayName("keep what a write of the earlier state brings in later")
    void lateWrite() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        add(10);
        store.flush();
        add(2);
        redis.ask("SAVE");
        add(5);
        CounterSource hanging = behind.before("write", () -> {
            hangs.countDown();
            goesOn.await();
        });
        CounterSource failing = behind.before("write", () -> {
            throw new StoreUnavailableException("counters.write", new IllegalStateException("SQL is down"));
        });
        try (WriteBehindCounterStore slow = store(hanging);
                WriteBehindCounterStore other = store(failing)) {
            FutureTask<Integer> write = new FutureTask<>(slow::flush);
            new Thread(write, "slow write").start();
            hangs.await();
            restore();
            await().until(() -> Counters.of(other).get("plays", "other") == 0 && other.isRedisReachable());
            assertThatThrownBy(other::flush).isInstanceOf(StoreUnavailableException.class);
            goesOn.countDown();
            write.get();
            assertThat(inSql()).isEqualTo(17);
            store.flush();
            assertThat(inSql()).isEqualTo(17);
            add(1);
            store.flush();
            assertThat(inSql()).isEqualTo(18);
        }
    }

    @Test
    @DisplayName("lose nothing that the server still has if a transaction that wrote it is rolled back")
    void rolledBack() {
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(List.of("ann"), "like", 10);
        store.flush();
        unread.add(List.of("ann"), "like", 7);
        redis.ask("SAVE");
        behind.inTransaction(store, false, joined -> {
            UnreadCounter.of(joined).markAllSeen("ann", "like");
            restore();
            UnreadCounter.of(joined).markAllSeen("ann", "like");
        });
        assertThat(unread.get("ann").total()).isEqualTo(17);
        store.flush();
        assertThat(UnreadCounter.of(behind.sql()).get("ann").total()).isEqualTo(17);
    }
}
