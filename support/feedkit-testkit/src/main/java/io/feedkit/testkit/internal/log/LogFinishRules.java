package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Finished tasks are kept for a while, so that they can be restarted. */
public abstract class LogFinishRules extends LogRules {

    protected LogFinishRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a finished task is not due again by itself")
    void finished() {
        publish(1);
        outbox.finish(outbox.claim(shortLease()));
        assertThat(outbox.nothingDue()).isTrue();
        kit.outlast();
        assertThat(outbox.nothingDue()).isTrue();
    }

    @Test
    @DisplayName("a restarted task waits again from the beginning of its range")
    void restart() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        outbox.finish(claim);
        kit.tick();
        assertThat(log.restart(0, 0)).hasValue(1);
        Task task = outbox.claim().task();
        assertThat(task.id()).isEqualTo(claim.task().id());
        assertThat(task.kind()).isEqualTo(claim.task().kind());
        assertThat(task.oldest()).isEqualTo(claim.task().oldest());
        assertThat(task.newest()).isEqualTo(claim.task().newest());
        assertThat(task.range()).isEqualTo(claim.task().range());
        assertThat(task.created()).isEqualTo(claim.task().created());
        assertThat(task.after()).isEmpty();
    }

    @Test
    @DisplayName("tasks finished at or after the time are restarted, whenever they were recorded")
    void restartSince() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = outbox.claimAll();
        outbox.finish(claims.get(0));
        kit.tick();
        long since = kit.now();
        outbox.finish(claims.get(1));
        kit.tick();
        outbox.finish(claims.get(2));
        assertThat(log.restart(0, since)).hasValue(2);
        assertThat(outbox.claimTasks())
                .extracting(Task::id)
                .containsExactlyInAnyOrder(
                        claims.get(1).task().id(), claims.get(2).task().id());
    }

    @Test
    @DisplayName("a restarted task is no longer finished, and can be finished again")
    void restartOnce() {
        publish(1);
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(log.restart(0, 0)).hasValue(0);
        assertThat(log.queueStatus().unfinished()).isEqualTo(1);
        outbox.settle();
        assertThat(log.queueStatus().unfinished()).isZero();
        assertThat(log.restart(0, 0)).hasValue(1);
    }

    @Test
    @DisplayName("a finished task is deleted when its retention ends")
    void forgotten() {
        outbox.publish(posts("bob", 2));
        List<Claim> claims = outbox.claimAll();
        assertThat(log.finish(List.of(claims.get(0)), shortLease())).containsExactly(true);
        kit.passMostOfShortTime();
        assertThat(log.finish(List.of(claims.get(1)), shortLease())).containsExactly(true);
        kit.passMostOfShortTime();
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(outbox.claim().task().id()).isEqualTo(claims.get(1).task().id());
    }

    @Test
    @DisplayName("the parts of a task that was split are restarted, not the whole")
    void restartParts() {
        publish(1);
        assertThat(log.split(outbox.claim(), LogSplitRules.THIRDS)).isTrue();
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(3);
        assertThat(outbox.claimTasks())
                .extracting(Task::range)
                .containsExactlyInAnyOrderElementsOf(LogSplitRules.THIRDS);
    }

    @Test
    @DisplayName("a deletion's task is finished and restarted like any other")
    void retractions() {
        publish(1);
        outbox.settle();
        outbox.delete(post("bob", 1).key());
        kit.tick();
        long since = kit.now();
        outbox.settle();
        assertThat(log.restart(0, since)).hasValue(1);
        assertThat(outbox.claim().task().kind()).isEqualTo(Kind.RETRACT);
    }
}
