package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks restart after a loss of deliveries, once for each loss, for any number of engines that notice it. */
public abstract class LogRestartRules extends LogRules {

    private static final long LOSS = 1_000;

    /** More tasks than a store restarts in one step. */
    private static final int MANY = 3000;

    protected LogRestartRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a leased task loses its lease, and restarts at once, without an attempt")
    void leased() {
        publish(1);
        Claim lost = outbox.claim();
        checkpoint(lost, "reader-1", LEASE);
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        assertThat(log.finish(List.of(lost), RETAIN)).containsExactly(false);
        Claim again = outbox.claim();
        assertThat(again.task()).isEqualTo(beginning(lost.task()));
        assertThat(log.finish(List.of(lost), RETAIN)).containsExactly(false);
        assertThat(log.finish(List.of(again), RETAIN)).containsExactly(true);
    }

    @Test
    @DisplayName("a waiting task restarts, and keeps its attempts")
    void waiting() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        fail(claim, 0);
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        Task task = outbox.claim().task();
        assertThat(task.after()).isEmpty();
        assertThat(task.attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("a delayed task keeps its delay, and then restarts")
    void heldBack() {
        publish(1);
        release(outbox.claim(), "reader-1", shortLease());
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 1, 0, 0));
        assertThat(outbox.nothingDue()).isTrue();
        kit.outlast();
        assertThat(outbox.claim().task().after()).isEmpty();
    }

    @Test
    @DisplayName("a task that was never claimed is due once, and so is a task whose lease has expired")
    void unclaimed() {
        outbox.publish(posts("bob", 2));
        log.claim(1, shortLease());
        kit.outlast();
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(2, 0, 0, 0));
        assertThat(outbox.claimTasks()).hasSize(2);
    }

    @Test
    @DisplayName("a dead task stays dead, with its cursor")
    void dead() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        moveToDeadLetters(claim);
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.dead("", 5)).extracting(dead -> dead.task().after()).containsExactly("reader-1");
    }

    @Test
    @DisplayName(
            "an unfinished task whose post is not visible still counts for the backlog's age and for the settled mark")
    void invisible() {
        publish(1);
        checkpoint(outbox.claim(), "reader-1", LEASE);
        long since = log.invisibleSince();
        kit.tick();
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        assertThat(log.invisibleSince()).isEqualTo(since).isPositive();
        assertThat(outbox.outbox().settledMark()).isLessThanOrEqualTo(since);
    }

    @Test
    @DisplayName("tasks restart once for one loss: later leases and cursors are kept")
    void once() {
        outbox.publish(posts("bob", 2));
        Claim before = outbox.claim();
        outbox.finish(before);
        assertThat(log.restart(LOSS, 0)).hasValue(1);
        List<Claim> since = outbox.claimAll();
        assertThat(since).hasSize(2);
        checkpoint(since.get(0), "reader-1", LEASE);
        outbox.finish(since.get(1));
        assertThat(kit.anotherLog().restart(LOSS, 0)).isEmpty();
        assertThat(outbox.nothingDue()).isTrue();
        release(since.get(0), "reader-2", 0);
        assertThat(kit.anotherLog().restart(LOSS, 0)).isEmpty();
        assertThat(outbox.claim().task().after()).isEqualTo("reader-2");
    }

    @Test
    @DisplayName("tasks do not restart for an earlier loss than the latest, but do for a later one")
    void order() {
        publish(1);
        outbox.settle();
        assertThat(log.latestLoss()).isZero();
        assertThat(log.restart(LOSS, 0)).hasValue(1);
        outbox.settle();
        assertThat(log.restart(LOSS - 1, 0)).isEmpty();
        assertThat(kit.anotherLog().latestLoss()).isEqualTo(LOSS);
        assertThat(log.restart(LOSS + 1, 0)).hasValue(1);
        outbox.settle();
        assertThat(log.restart(LOSS, 0)).isEmpty();
        assertThat(log.restart(LOSS + 1, 0)).isEmpty();
        assertThat(kit.anotherLog().latestLoss()).isEqualTo(LOSS + 1);
    }

    @Test
    @DisplayName("an empty log records the first loss, and tasks recorded later do not restart for it")
    void empty() {
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        publish(1);
        Claim claim = outbox.claim();
        assertThat(log.restart(LOSS, 0)).isEmpty();
        outbox.finish(claim);
    }

    @Test
    @DisplayName("without a loss tasks always restart, and no loss is recorded")
    void always() {
        publish(1);
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(log.restart(LOSS, 0)).hasValue(0);
        Claim lost = outbox.claim();
        assertThat(log.restart(0, 0)).hasValue(0);
        assertThat(log.finish(List.of(lost), RETAIN)).containsExactly(false);
        outbox.finish(outbox.claim());
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(log.restart(LOSS, 0)).isEmpty();
    }

    @Test
    @DisplayName(
            "if many threads restart for one loss at once, each task restarts once, and all calls return after that")
    void together() {
        for (int round = 1; round <= kit.rounds(); round++) {
            outbox.publish(posts("bob-" + round, 20));
            outbox.settle();
            long loss = LOSS + round;
            List<OptionalInt> counts = Race.run(kit.threads(), thread -> log.restart(loss, kit.now() - LEASE));
            assertThat(counts.stream().flatMapToInt(OptionalInt::stream).sum()).isEqualTo(20 * round);
            List<Claim> claims = outbox.claimAll();
            assertThat(claims).hasSize(20 * round);
            assertThat(log.restart(loss, 0)).isEmpty();
            assertThat(log.finish(claims, RETAIN)).doesNotContain(false);
        }
    }

    @Test
    @DisplayName("if two losses are handled at once, both calls return, and later leases are kept")
    @Timeout(60)
    void twoLosses() {
        outbox.publish(posts("bob", MANY));
        Race.run(2, thread -> log.restart(LOSS + thread, 0));
        assertThat(log.restart(LOSS, 0)).isEmpty();
        assertThat(log.restart(LOSS + 1, 0)).isEmpty();
        assertThat(kit.anotherLog().latestLoss()).isEqualTo(LOSS + 1);
        Claim claim = outbox.claim();
        assertThat(log.restart(LOSS, 0)).isEmpty();
        assertThat(log.restart(LOSS + 1, 0)).isEmpty();
        assertThat(kit.anotherLog().latestLoss()).isEqualTo(LOSS + 1);
        assertThat(log.finish(List.of(claim), RETAIN)).containsExactly(true);
    }

    private static Task beginning(Task task) {
        return task.at("");
    }
}
