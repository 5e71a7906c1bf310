package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A thread that waits for work of another one")
@Timeout(60)
class SharedWorkTest {

    private final CountDownLatch ends = new CountDownLatch(1);

    @AfterEach
    void end() {
        ends.countDown();
    }

    /** Begins work that does not end before the test does. */
    private void begin(SharedWork<String> work) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(() -> work.share(List.of("a"), keys -> {
            begun.countDown();
            awaitEnd();
        }));
        thread.setDaemon(true);
        thread.start();
        begun.await();
    }

    private void awaitEnd() {
        try {
            ends.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("does its own work, and does not wait for ever")
    void bounded() throws InterruptedException {
        SharedWork<String> work = new SharedWork<>("load", Duration.ofMillis(50));
        begin(work);
        AtomicBoolean done = new AtomicBoolean();
        assertThatThrownBy(() -> work.share(List.of("a", "b"), keys -> done.set(keys.equals(List.of("b")))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("another thread has not finished the same work within PT0.05S");
        assertThat(done).isTrue();
    }

    @Test
    @DisplayName("may be interrupted, and stays interrupted")
    void interrupted() throws InterruptedException {
        SharedWork<String> work = new SharedWork<>("load", Duration.ofDays(1));
        begin(work);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> work.share(List.of("a"), keys -> {}))
                .isInstanceOf(StoreUnavailableException.class)
                .hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
