package io.feedkit.testkit.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.Health;
import io.feedkit.health.Health.Answer;
import io.feedkit.health.Health.Part;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Health checks of the parts of the store. */
public abstract class HealthBehaviours extends FeedRules {

    /** Generous, because the first calls of a process are slow. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration SHORT = Duration.ofMillis(300);

    protected HealthBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("every part of the store answers, with its latency")
    void up() {
        Health health = engine(Policy.PUSH).check(LIMIT);
        assertThat(health.parts()).containsOnlyKeys(Part.OUTBOX, Part.INBOX, Part.FOLLOW_GRAPH, Part.SEEN_MARKS);
        assertThat(health.isUp()).as("%s", health).isTrue();
        assertThat(health.parts().values())
                .allSatisfy(answer -> assertThat(answer.latency()).isBetween(Duration.ZERO, LIMIT));
    }

    @Test
    @DisplayName("a failing part is named, with the failure; the other parts are up")
    void down() {
        FeedEngine engine = engine(Policy.PUSH);
        store.before("inbox.count", () -> {
            throw new StoreUnavailableException("inbox.count", null);
        });
        Health health = engine.check(LIMIT);
        assertThat(health.isUp()).isFalse();
        health.parts().forEach((part, answer) -> assertThat(answer.isUp()).isEqualTo(part != Part.INBOX));
        assertThat(health.part(Part.INBOX).failure())
                .hasValueSatisfying(failure -> assertThat(failure).contains("inbox.count"));
        assertThat(engine.check(LIMIT).isUp()).isTrue();
    }

    @Test
    @DisplayName("a part that hangs delays a check by at most its time-out, and blocks one thread until it answers")
    void hangs() {
        FeedEngine engine = engine(Policy.PUSH);
        CountDownLatch released = new CountDownLatch(1);
        store.before("outbox.existing", () -> await(released));
        try {
            for (int asked = 1; asked <= 2; asked++) {
                long start = System.nanoTime();
                Answer answer = engine.check(SHORT).part(Part.OUTBOX);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
                assertThat(answer.isUp()).isFalse();
                // The latency counts from the start of the question, a little after the start of the limit.
                assertThat(answer.latency())
                        .isGreaterThan(SHORT.multipliedBy(asked).minusMillis(50));
            }
        } finally {
            released.countDown();
        }
        assertThat(engine.check(LIMIT).isUp()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
