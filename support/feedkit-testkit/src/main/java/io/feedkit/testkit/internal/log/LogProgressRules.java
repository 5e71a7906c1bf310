package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
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
        return new Task(
                task.id(),
                task.kind(),
                task.oldest(),
                task.newest(),
                task.version(),
                task.range(),
                after,
                attempts,
                task.created());
    }

    @Test
    @DisplayName("a checkpoint's cursor is where the next worker goes on, if this one is never heard of again")
    void checkpointRecordsCursor() {
        publish(1);
        Claim claim = outbox.claim(shortLease());
        checkpoint(claim, "reader-1", shortLease());
        checkpoint(claim, "reader-2", shortLease());
        kit.outlast();
        assertThat(outbox.claim().task()).isEqualTo(with(claim.task(), "reader-2", 1));
    }

    @Test
    @DisplayName("a checkpoint at the beginning starts over")
    void checkpointStartsOver() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        checkpoint(claim, "", LEASE);
        fail(claim, 0);
        assertThat(outbox.claim().task().after()).isEmpty();
    }

    @Test
    @DisplayName("any legal id is a cursor")
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
    @DisplayName("a release records the cursor and resets the attempts, as after a batch that went well")
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
    @DisplayName("a task released or failed with a delay is not due before the delay is over, and delays no other")
    void delay() {
        outbox.publish(posts("bob", 2));
        List<Claim> claims = outbox.claimAll();
        release(claims.get(0), "", shortLease());
        fail(claims.get(1), shortLease());
        publish(3);
        outbox.finish(outbox.claim());
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.queueStatus().unfinished()).isEqualTo(2);
        kit.passMostOfShortTime();
        assertThat(outbox.claimAll())
                .extracting(claim -> claim.task().id())
                .containsExactlyInAnyOrder(
                        claims.get(0).task().id(), claims.get(1).task().id());
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
    @DisplayName("answer i is for request i, and a lost lease among others hinders none of them")
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
        assertThat(outbox.claimTasks()).containsExactlyInAnyOrder(with(a.task(), "x", 1), with(c.task(), "w", 0));
    }

    @Test
    @DisplayName("a claim that occurs twice in a batch is checkpointed twice, and given back once")
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
        assertThat(log.finish(List.of(), RETAIN)).isEmpty();
        assertThat(log.replay(List.of())).isZero();
        assertThat(outbox.nothingDue()).isFalse();
    }

    @Test
    @DisplayName("hastened, tasks that were given back with a delay are due at once, as they were given back; what is "
            + "claimed, finished or dead is left alone")
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
    @DisplayName("no more tasks are hastened than are asked for")
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
