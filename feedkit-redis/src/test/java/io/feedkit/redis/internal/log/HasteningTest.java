package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Release;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Thousands of tasks of one partition that wait for a store")
class HasteningTest {

    private static final int TASKS = 2500;
    private static final int AT_ONCE = 1000;
    private static final long LEASE = 60_000;

    private final TestOutbox truth = new TestOutbox();
    private final FanoutLog log = truth.outbox().fanout();

    @AfterEach
    void close() {
        truth.close();
    }

    /** Publishes, and lets the tasks wait for some time. */
    private void putOff(FanoutMode mode, long delay) {
        truth.publish(
                IntStream.range(0, TASKS)
                        .mapToObj(n -> Post.of("bob", mode + "-" + n, n))
                        .toList(),
                mode);
        List<Claim> claims = log.claim(TASKS, LEASE);
        assertThat(claims).hasSize(TASKS);
        log.release(claims.stream()
                .map(claim -> new Release(claim, "reader", delay))
                .toList());
    }

    /** Calls it as the engine does. */
    private int hastenAll() {
        int all = 0;
        int hastened;
        do {
            hastened = log.hasten(AT_ONCE);
            all += hastened;
        } while (hastened == AT_ONCE);
        return all;
    }

    @Test
    @DisplayName("are all woken by an engine that asks for a thousand at a time")
    void all() {
        putOff(FanoutMode.PUSH, 60_000);
        assertThat(hastenAll()).isEqualTo(TASKS);
        assertThat(log.claim(2 * TASKS, LEASE)).hasSize(TASKS);
    }

    @Test
    @DisplayName("are all woken behind thousands that wait on purpose, and are to be done sooner")
    void behindOthers() {
        putOff(FanoutMode.PUSH_ACTIVE, 30_000);
        putOff(FanoutMode.PUSH, 60_000);
        assertThat(hastenAll()).isEqualTo(TASKS);
        assertThat(log.claim(2 * TASKS, LEASE))
                .hasSize(TASKS)
                .allMatch(claim -> claim.task().kind().equals(FanoutLog.Kind.PUSH));
    }
}
