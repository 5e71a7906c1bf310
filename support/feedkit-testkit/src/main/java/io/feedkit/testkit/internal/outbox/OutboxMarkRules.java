package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The settled mark: the time up to which all appended posts have been fanned out. */
public abstract class OutboxMarkRules extends OutboxRules {

    protected OutboxMarkRules(OutboxKit kit) {
        super(kit);
    }

    private long mark() {
        return outbox.outbox().settledMark();
    }

    /** The mark without unfinished tasks. A store may need a short time to raise it. */
    private long markAfterAWhile() {
        kit.outlast();
        return mark();
    }

    @Test
    @DisplayName("it is never ahead of the store's clock")
    void notAhead() {
        assertThat(mark()).isLessThanOrEqualTo(kit.now());
        outbox.publish(post("bob", 1));
        outbox.settle();
        assertThat(mark()).isLessThanOrEqualTo(kit.now());
    }

    @Test
    @DisplayName("without unfinished tasks it follows the clock")
    void followsTheClock() {
        long before = kit.now();
        outbox.publish(post("bob", 1));
        outbox.settle();
        assertThat(markAfterAWhile()).isGreaterThan(before);
    }

    @Test
    @DisplayName("it stays behind a task that is waiting, leased, released, failed or abandoned, whatever other tasks"
            + " finish")
    void behindUnfinished() {
        outbox.publish(post("bob", 1));
        Claim oldest = outbox.claim(kit.shortTime().toMillis());
        long created = oldest.task().created();
        kit.tick();
        outbox.publish(posts("amy", 3));
        assertThat(mark()).isLessThanOrEqualTo(created);
        outbox.settle();
        assertThat(mark()).isLessThanOrEqualTo(created);
        assertThat(markAfterAWhile()).isLessThanOrEqualTo(created);
        Claim again = outbox.claim();
        assertThat(mark()).isLessThanOrEqualTo(created);
        assertThat(outbox.log().release(List.of(new Release(again, "m", 0)))).containsExactly(true);
        assertThat(mark()).isLessThanOrEqualTo(created);
        assertThat(outbox.log().fail(List.of(new Failure(outbox.claim(), "failed", 0))))
                .containsExactly(true);
        assertThat(mark()).isLessThanOrEqualTo(created);
        outbox.settle();
        assertThat(markAfterAWhile()).isGreaterThan(created);
    }

    @Test
    @DisplayName("it stays behind the oldest part of a task that was split")
    void behindParts() {
        outbox.publish(post("bob", 1));
        Claim claim = outbox.claim();
        long created = claim.task().created();
        kit.tick();
        assertThat(outbox.log().split(claim, List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END))))
                .isTrue();
        outbox.finish(outbox.claim());
        assertThat(markAfterAWhile()).isLessThanOrEqualTo(created);
        outbox.settle();
        assertThat(markAfterAWhile()).isGreaterThan(created);
    }

    @Test
    @DisplayName("it passes a dead task, and stays behind a replayed task")
    void deadAndReplayed() {
        outbox.publish(post("bob", 1));
        Claim claim = outbox.claim();
        long created = claim.task().created();
        assertThat(outbox.log().moveToDeadLetters(claim, 1, "poison")).isTrue();
        assertThat(markAfterAWhile()).isGreaterThan(created);
        outbox.log().replay(List.of(claim.task().id()));
        assertThat(mark()).isLessThanOrEqualTo(created);
    }

    @Test
    @DisplayName("it stays behind a restarted task")
    void restarted() {
        outbox.publish(post("bob", 1));
        Claim claim = outbox.claim();
        outbox.finish(claim);
        assertThat(markAfterAWhile()).isGreaterThan(claim.task().created());
        assertThat(outbox.log().restart(0, 0)).hasValue(1);
        assertThat(mark()).isLessThanOrEqualTo(claim.task().created());
    }

    @Test
    @DisplayName("it depends on when posts were appended, not on the posts' own times")
    void countsByAppend() {
        outbox.publish(post("bob", 1));
        outbox.settle();
        long settled = markAfterAWhile();
        outbox.publish(post("bob", 0));
        assertThat(mark()).isGreaterThanOrEqualTo(settled);
    }

    @Test
    @DisplayName("it passes retractions, the first and the second")
    void retractionsApart() {
        outbox.publish(post("bob", 1));
        outbox.settle();
        outbox.delete(post("bob", 1).key());
        Claim first = outbox.claim();
        assertThat(markAfterAWhile()).isGreaterThan(first.task().created());
        assertThat(outbox.log().retractLater(first, OutboxDriver.LEASE)).isTrue();
        long replaced = kit.now();
        assertThat(markAfterAWhile()).isGreaterThan(replaced);
    }
}
