package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.redis.WriteBehindCounterStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Closing counters in SQL behind Redis while SQL does not answer")
@Timeout(60)
class CloseBehindTest {

    private final CountersBehind behind = new CountersBehind();
    private final CountDownLatch ends = new CountDownLatch(1);

    @AfterEach
    void close() {
        ends.countDown();
        behind.close();
    }

    /** A store with an unwritten change, whose source does not answer before the test ends. */
    private WriteBehindCounterStore stuck(Duration closeTimeout) {
        WriteBehindCounterStore store =
                behind.store(behind.before("open", () -> awaitEnd()), settings -> settings.closeTimeout(closeTimeout));
        Counters.of(store).add("plays", "song", 3);
        return store;
    }

    /** As a driver that does not look at interrupts. */
    private void awaitEnd() {
        while (ends.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private void isStillThere() {
        WriteBehindCounterStore next = behind.store(behind.sql());
        assertThat(Counters.of(next).get("plays", "song")).isEqualTo(3);
        next.flush();
        assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(3);
    }

    @Test
    @DisplayName("does not wait for ever, and what is unwritten stays in Redis")
    void bounded() {
        stuck(Duration.ofMillis(100)).close();
        isStillThere();
    }

    @Test
    @DisplayName("may be interrupted, and the thread stays interrupted")
    void interrupted() {
        WriteBehindCounterStore store = stuck(Duration.ofDays(1));
        Thread.currentThread().interrupt();
        store.close();
        assertThat(Thread.interrupted()).isTrue();
        isStillThere();
    }
}
