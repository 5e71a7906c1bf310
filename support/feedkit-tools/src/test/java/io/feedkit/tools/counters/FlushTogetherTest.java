package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.counter.Views;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A flush of counters in SQL behind Redis")
@Timeout(120)
class FlushTogetherTest {

    private static final int ROUNDS = 150;
    private static final int OF_ONE_BUCKET = 1234;

    private final CountersBehind behind = new CountersBehind();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        behind.close();
    }

    /** Runs a flush of a slow process up to its write, then changes and another flush, whose write comes second. */
    private void overtaken(Runnable before, Runnable after) throws Exception {
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);
        WriteBehindCounterStore slow = behind.store(behind.before("write", () -> {
            claimed.countDown();
            overtaken.await();
        }));
        Future<?>[] other = new Future<?>[1];
        WriteBehindCounterStore store = behind.store(behind.before("write", () -> {
            overtaken.countDown();
            other[0].get();
        }));
        before.run();
        other[0] = threads.submit(slow::flush);
        claimed.await();
        after.run();
        store.flush();
    }

    @Test
    @DisplayName("has written what was there at the call, also if a flush that began before writes meanwhile")
    void overtaken() throws Exception {
        WriteBehindCounterStore host = behind.store(behind.sql());
        Counters counters = Counters.of(host);
        Views views = Views.of(host, Duration.ofHours(1), Clock.systemUTC());
        overtaken(
                () -> {
                    counters.add("plays", "song", 1);
                    views.add("ann", "post");
                },
                () -> {
                    counters.add("plays", "song", 10);
                    views.add("ann", "other");
                });
        assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(11);
        assertThat(behind.sql().members(new Owner(Space.VIEWS, "ann"))).hasSize(2);
    }

    @Test
    @DisplayName("has written all of a bucket, also if a flush that began before writes some of it meanwhile")
    void bucket() throws Exception {
        WriteBehindCounterStore host = behind.store(behind.sql());
        Owner owner = new Owner(Space.COUNTERS, "song");
        List<Add> adds = IntStream.range(0, OF_ONE_BUCKET)
                .mapToObj(i -> new Add(new CellKey(owner, "type" + i), 1, Optional.empty()).writtenBehind())
                .toList();
        overtaken(() -> host.add(adds), () -> host.add(adds));
        assertThat(behind.sql().cells(List.of(owner)).get(0).values())
                .hasSize(OF_ONE_BUCKET)
                .allMatch(cell -> cell.count() == 2);
    }

    @Test
    @DisplayName("has written what was added before, while the store's own thread flushes every millisecond")
    void ownThread() {
        WriteBehindCounterStore store = behind.store(behind.sql(), Duration.ofMillis(1));
        Counters counters = Counters.of(store);
        for (int round = 1; round <= ROUNDS; round++) {
            counters.add("plays", "song", 1);
            store.flush();
            assertThat(Counters.of(behind.sql()).get("plays", "song"))
                    .as("written in round %d", round)
                    .isEqualTo(round);
        }
    }
}
