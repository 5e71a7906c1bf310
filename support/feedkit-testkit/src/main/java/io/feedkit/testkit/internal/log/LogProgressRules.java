package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Cursors, attempts and delays. */
public abstract class LogProgressRules extends LogRules {

    protected LogProgressRules(OutboxKit kit) {
        super(kit);
    }

    private static Task with(Task task, String after, int attempts) {
        return task.with(after, attempts, Outage.NONE);
    }

    @Test
    @DisplayName("the next worker continues at the cursor of the last checkpoint if this worker dies")
    void checkpointRecordsCursor() {
        publish(1);
        Claim claim = outbox.claim(shortLease());
        checkpoint(claim, "reader-1", shortLease());
        checkpoint(claim, "reader-2", shortLease());
        kit.outlast();
        assertThat(outbox.claim().task()).isEqualTo(with(claim.task(), "reader-2", 1));
    }

    @Test
    @DisplayName("a checkpoint with an empty cursor starts over")
    void checkpointStartsOver() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        checkpoint(claim, "", LEASE);
        fail(claim, 0);
        assertThat(outbox.claim().task().after()).isEmpty();
    }

    @Test
    @DisplayName("a cursor may be two of the longest ids with a space between them, or a space")
    void longestCursor() {
        publish(1);
        String longest = "x".repeat(64) + " " + "y".repeat(64);
        assertThat(longest).hasSize(FanoutLog.LONGEST_CURSOR);
        for (String cursor : List.of(longest, " ", "x ")) {
            Claim claim = outbox.claim();
            checkpoint(claim, cursor, LEASE);
            fail(claim, 0);
            Claim next = outbox.claim();
            assertThat(next.task().after()).isEqualTo(cursor);
            release(next, cursor, 0);
            Claim last = outbox.claim();
            assertThat(last.task().after()).isEqualTo(cursor);
            release(last, "reader", 0);
        }
    }

    @Test
    @DisplayName("any valid id is a cursor")
    void awkwardCursors() {
        publish(1);
        for (String id : AWKWARD_IDS) {
            Claim claim = outbox.claim();
            checkpoint(claim, id, LEASE);
            fail(claim, 0);
            Claim next = outbox.claim();
            assertThat(next.task().after()).isEqualTo(id);
            release(next, "reader", 0);
        }
    }

    @Test
    @DisplayName("a checkpoint extends the lease from now")
    void checkpointExtendsLease() {
        publish(1);
        Claim claim = outbox.claim(shortLease());
        for (int i = 0; i < 3; i++) {
            kit.passMostOfShortTime();
            checkpoint(claim, "reader-" + i, shortLease());
        }
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isFalse();
    }

    @Test
    @DisplayName("a checkpoint resets the attempts")
    void checkpointResetsAttempts() {
        publish(1);
        fail(outbox.claim(), 0);
        outbox.claim(shortLease());
        kit.outlast();
        Claim third = outbox.claim();
        assertThat(third.task().attempts()).isEqualTo(2);
        checkpoint(third, "reader-1", LEASE);
        fail(third, 0);
        assertThat(outbox.claim().task().attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("a release records the cursor and resets the attempts, as after a successful batch")
    void release() {
        publish(1);
        Claim first = outbox.claim();
        release(first, "reader-1", 0);
        Claim second = outbox.claim();
        assertThat(second.task()).isEqualTo(with(first.task(), "reader-1", 0));
        fail(second, 0);
        release(outbox.claim(), "reader-2", 0);
        assertThat(outbox.claim().task()).isEqualTo(with(first.task(), "reader-2", 0));
    }

    @Test
    @DisplayName("a failure counts an attempt and keeps the recorded cursor")
    void fail() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        fail(claim, 0);
        Claim second = outbox.claim();
        assertThat(second.task()).isEqualTo(with(claim.task(), "reader-1", 1));
        fail(second, 0);
        assertThat(outbox.claim().task()).isEqualTo(with(claim.task(), "reader-1", 2));
    }

    @Test
    @DisplayName(
            "a postponement counts one more failure of the outage and keeps its start, resets the attempts and keeps"
                    + " the recorded cursor")
    void postpone() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        fail(claim, 0);
        long before = kit.now();
        postpone(outbox.claim(), 0);
        long after = kit.now();
        Task first = outbox.claim().task();
        long since = first.outage().since();
        assertThat(since).isBetween(before, after);
        assertThat(first).isEqualTo(claim.task().with("reader-1", 0, new Outage(1, since)));
    }

    @Test
    @DisplayName("the log counts the failures of an outage for all workers, also across expired leases, loans and other"
            + " failures")
    void outageIsCounted() {
        publish(1);
        Claim claim = outbox.claim();
        postpone(claim, 0);
        long since = firstDue().since();
        kit.tick();
        postpone(outbox.claim(), 0);
        assertThat(firstDue()).as("twice").isEqualTo(new Outage(2, since));
        outbox.claim(shortLease());
        kit.outlast();
        assertThat(firstDue()).as("after an expired lease").isEqualTo(new Outage(2, since));
        fail(outbox.claim(), 0);
        assertThat(firstDue()).as("after a failure for another reason").isEqualTo(new Outage(2, since));
        Loan loan = log.lend(1, LEASE, 1).get(0).loan();
        Claim taken = log.take(List.of(loan), LEASE).get(0).orElseThrow();
        assertThat(taken.task().outage()).as("after it was lent and taken").isEqualTo(new Outage(2, since));
        postpone(taken, 0);
        Claim untried = outbox.claim();
        checkpoint(untried, "", LEASE);
        release(untried, "", 0);
        assertThat(firstDue()).as("after a release without progress").isEqualTo(new Outage(3, since));
        assertThat(log.restart(0, kit.now())).hasValue(0);
        assertThat(firstDue()).as("after a restart").isEqualTo(new Outage(3, since));
    }

    @Test
    @DisplayName("progress ends an outage, and so does a replay")
    void outageEnds() {
        publish(1);
        postpone(outbox.claim(), 0);
        Claim passing = outbox.claim();
        checkpoint(passing, "reader-0 reader-9", LEASE);
        postpone(passing, 0);
        assertThat(firstDue().failures())
                .as("after a checkpoint that passes over readers")
                .isEqualTo(2);
        Claim second = outbox.claim();
        checkpoint(second, "reader-1", LEASE);
        postpone(second, 0);
        assertThat(firstDue().failures()).as("after a checkpoint").isEqualTo(1);
        release(outbox.claim(), "reader-2", 0);
        assertThat(firstDue()).as("after a release").isEqualTo(Outage.NONE);
        postpone(outbox.claim(), 0);
        Claim dead = outbox.claim();
        moveToDeadLetters(dead);
        assertThat(log.replay(List.of(dead.task().id()))).isEqualTo(1);
        assertThat(firstDue()).as("after a replay").isEqualTo(Outage.NONE);
        postpone(outbox.claim(), 0);
        outbox.finish(outbox.claim());
        kit.tick();
        assertThat(log.restart(0, kit.now() - kit.shortTime().toMillis())).hasValue(1);
        assertThat(firstDue()).as("after it was finished").isEqualTo(Outage.NONE);
    }

    /** The outage of the task that is due. The task stays due. */
    private Outage firstDue() {
        LentTask lent = log.lend(1, LEASE, 1).get(0);
        assertThat(log.returnLoans(List.of(lent.loan()))).containsExactly(true);
        return lent.task().outage();
    }

    @Test
    @DisplayName(
            "a task released, failed or postponed with a delay is not due before the delay ends; it delays no other"
                    + " task")
    void delay() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = outbox.claimAll();
        release(claims.get(0), "", shortLease());
        fail(claims.get(1), shortLease());
        postpone(claims.get(2), shortLease());
        publish(4);
        outbox.finish(outbox.claim());
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.queueStatus().unfinished()).isEqualTo(3);
        kit.passMostOfShortTime();
        assertThat(outbox.claimAll())
                .extracting(claim -> claim.task().id())
                .containsExactlyInAnyOrderElementsOf(
                        claims.stream().map(claim -> claim.task().id()).toList());
    }

    @Test
    @DisplayName("a reason may be long, and hold any characters")
    void reasons() {
        publish(1);
        String reason = "Zürich \u2603 \ud83d\ude00 'quoted' \"too\"\n\tat {line:1} % \\ ".repeat(100);
        assertThat(log.fail(List.of(new Failure(outbox.claim(), reason, 0)))).containsExactly(true);
        assertThat(log.fail(List.of(new Failure(outbox.claim(), "", 0)))).containsExactly(true);
        assertThat(outbox.claim().task().attempts()).isEqualTo(2);
    }

    @Test
    @DisplayName("answer i is for request i, and a lost lease does not affect the other requests")
    void answersInOrder() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = outbox.claimAll();
        Claim a = claims.get(0);
        Claim lost = claims.get(1);
        Claim c = claims.get(2);
        outbox.finish(lost);
        assertThat(log.checkpoint(List.of(new Progress(a, "x"), new Progress(lost, "y"), new Progress(c, "z")), LEASE))
                .containsExactly(true, false, true);
        assertThat(log.fail(List.of(new Failure(lost, "no", 0), new Failure(a, "yes", 0))))
                .containsExactly(false, true);
        assertThat(log.release(List.of(new Release(lost, "y", 0), new Release(c, "w", 0))))
                .containsExactly(false, true);
        assertThat(log.postpone(List.of(new Postponement(lost, 0), new Postponement(a, 0))))
                .containsExactly(false, false);
        assertThat(outbox.claimTasks()).containsExactlyInAnyOrder(with(a.task(), "x", 1), with(c.task(), "w", 0));
    }

    @Test
    @DisplayName("a claim that occurs twice in a batch is checkpointed twice, and released once")
    void twiceInABatch() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = outbox.claimAll();
        Claim a = claims.get(0);
        Claim b = claims.get(1);
        Claim c = claims.get(2);
        assertThat(log.checkpoint(List.of(new Progress(a, "x"), new Progress(a, "y")), LEASE))
                .containsExactly(true, true);
        assertThat(log.fail(List.of(new Failure(a, "once", 0), new Failure(a, "twice", 0))))
                .containsExactly(true, false);
        assertThat(log.release(List.of(new Release(b, "x", 0), new Release(b, "y", 0))))
                .containsExactly(true, false);
        assertThat(log.finish(List.of(c, c), RETAIN)).containsExactly(true, false);
        assertThat(outbox.claimTasks()).containsExactlyInAnyOrder(with(a.task(), "y", 1), with(b.task(), "x", 0));
    }

    @Test
    @DisplayName("empty batches do nothing")
    void emptyBatches() {
        publish(1);
        assertThat(log.checkpoint(List.of(), LEASE)).isEmpty();
        assertThat(log.release(List.of())).isEmpty();
        assertThat(log.fail(List.of())).isEmpty();
        assertThat(log.postpone(List.of())).isEmpty();
        assertThat(log.finish(List.of(), RETAIN)).isEmpty();
        assertThat(log.replay(List.of())).isZero();
        assertThat(outbox.nothingDue()).isFalse();
    }

    @Test
    @DisplayName(
            "hastening makes tasks with a delay due at once, otherwise unchanged; claimed, finished and dead tasks do"
                    + " not change")
    void hasten() {
        for (int n = 1; n <= 5; n++) {
            publish(n);
        }
        List<Claim> claims = log.claim(10, LEASE);
        release(claims.get(0), "reader-1", LEASE);
        fail(claims.get(1), LEASE);
        outbox.finish(claims.get(2));
        moveToDeadLetters(claims.get(3));
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.hasten(10)).isEqualTo(2);
        assertThat(log.claim(10, LEASE))
                .satisfiesExactlyInAnyOrder(
                        released -> {
                            assertThat(released.task().id())
                                    .isEqualTo(claims.get(0).task().id());
                            assertThat(released.task().after()).isEqualTo("reader-1");
                            assertThat(released.task().attempts()).isZero();
                        },
                        failed -> {
                            assertThat(failed.task().id())
                                    .isEqualTo(claims.get(1).task().id());
                            assertThat(failed.task().attempts()).isEqualTo(1);
                        });
        assertThat(log.hasten(10)).isZero();
        checkpoint(claims.get(4), "reader-2", LEASE);
    }

    @Test
    @DisplayName("at most the requested number of tasks is hastened")
    void hastenSome() {
        for (int n = 1; n <= 6; n++) {
            publish(n);
        }
        log.claim(10, LEASE).forEach(claim -> release(claim, "", LEASE));
        assertThat(log.hasten(4)).isEqualTo(4);
        assertThat(log.claim(10, LEASE)).hasSize(4);
        assertThat(log.hasten(4)).isEqualTo(2);
    }
}
