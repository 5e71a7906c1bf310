package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The numbers of tasks, and the post that has waited longest to become visible. */
public abstract class LogQueueStatusRules extends LogRules {

    protected LogQueueStatusRules(OutboxKit kit) {
        super(kit);
    }

    private static long created(Claim claim) {
        return claim.task().created();
    }

    /** Deletes a post that was published, and holds its retraction back. */
    private void retractOnce(int n, long delayMillis) {
        outbox.delete(post("bob", n).key());
        assertThat(log.retractLater(outbox.claim(), delayMillis)).isTrue();
    }

    @Test
    @DisplayName("an empty log has no tasks and no waiting post")
    void empty() {
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("waiting and leased tasks count as due; dead tasks are counted separately, finished tasks not at all")
    void due() {
        outbox.publish(posts("amy", 5));
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(5, 0, 0, 0));
        List<Claim> claims = outbox.claimAll();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(5, 0, 0, 0));
        checkpoint(claims.get(0), "m", 2 * LEASE);
        release(claims.get(1), "", 0);
        moveToDeadLetters(claims.get(2));
        outbox.finish(claims.get(3));
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(3, 0, 1, 0));
        log.replay(List.of(claims.get(2).task().id()));
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(4, 0, 0, 0));
    }

    @Test
    @DisplayName("unfinished tasks are counted by kind: waiting, leased and delayed ones, not dead and finished ones")
    void byKind() {
        assertThat(log.unfinishedByKind().values()).allMatch(count -> count == 0);
        outbox.publish(posts("bob", 5));
        assertThat(log.unfinishedByKind()).containsEntry(Kind.PUSH, 5L);
        List<Claim> claims = outbox.claimAll();
        moveToDeadLetters(claims.get(0));
        outbox.finish(claims.get(1));
        release(claims.get(2), "", LEASE);
        assertThat(log.unfinishedByKind()).containsEntry(Kind.PUSH, 3L);
        outbox.delete(post("bob", 5).key());
        assertThat(log.unfinishedByKind()).containsEntry(Kind.PUSH, 3L).containsEntry(Kind.RETRACT, 1L);
    }

    @Test
    @DisplayName("tasks released, failed or retracted again with a delay count as deferred until the delay ends")
    void deferred() {
        outbox.publish(posts("bob", 4));
        List<Claim> claims = outbox.claimAll();
        release(claims.get(0), "", shortLease());
        fail(claims.get(1), LEASE);
        outbox.finish(claims.get(2));
        outbox.finish(claims.get(3));
        retractOnce(4, LEASE);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 3, 0, 0));
        kit.outlast();
        assertThat(log.queueStatus()).as("after the short delay").isEqualTo(new QueueStatus(1, 2, 0, 0));
        Claim claim = outbox.claim();
        assertThat(log.queueStatus()).as("claimed").isEqualTo(new QueueStatus(1, 2, 0, 0));
        outbox.finish(claim);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 2, 0, 0));
    }

    @Test
    @DisplayName("a hastened task is due, except a second retraction, which stays deferred")
    void hastened() {
        publish(1);
        outbox.settle();
        retractOnce(1, LEASE);
        publish(2);
        fail(outbox.claim(), LEASE);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 2, 0, 0));
        assertThat(log.hasten(10)).isEqualTo(1);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 1, 0, 0));
        release(outbox.claim(), "m", LEASE);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 2, 0, 0));
    }

    @Test
    @DisplayName("a task whose lease has expired is due")
    void abandoned() {
        publish(1);
        outbox.claim(shortLease());
        kit.outlast();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 0, 0, 0));
    }

    @Test
    @DisplayName(
            "the oldest waiting post is that of the oldest push whose task is not finished, whatever the task's state")
    void invisible() {
        publish(1);
        Claim oldest = outbox.claim();
        long since = created(oldest);
        kit.tick();
        publish(2);
        assertThat(log.invisibleSince()).as("leased").isEqualTo(since);
        release(oldest, "m", 0);
        assertThat(log.invisibleSince()).as("released").isEqualTo(since);
        Claim again = outbox.claimAll().stream()
                .filter(claim -> claim.task().id().equals(oldest.task().id()))
                .findFirst()
                .orElseThrow();
        fail(again, LEASE);
        assertThat(log.invisibleSince())
                .as("with one task deferred and one leased")
                .isEqualTo(since);
        log.hasten(10);
        outbox.finish(outbox.claim());
        assertThat(log.invisibleSince()).as("after the older task was finished").isGreaterThan(since);
    }

    @Test
    @DisplayName("no post waits when the tasks of all posts are finished or dead")
    void allVisible() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = outbox.claimAll();
        moveToDeadLetters(claims.get(0));
        outbox.finish(claims.get(1));
        assertThat(log.invisibleSince()).isEqualTo(created(claims.get(2)));
        outbox.finish(claims.get(2));
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("a pulled post waits until its task is finished")
    void pulled() {
        outbox.append(post("bob", 1), FanoutMode.PULL);
        assertThat(log.invisibleSince()).isEqualTo(created(outbox.claim()));
    }

    @Test
    @DisplayName("a post waits until the last part of its split task is finished")
    void parts() {
        publish(1);
        Claim whole = outbox.claim();
        kit.tick();
        assertThat(log.split(whole, LogSplitRules.THIRDS)).isTrue();
        assertThat(log.invisibleSince()).isEqualTo(created(whole));
        List<Claim> parts = outbox.claimAll();
        outbox.finish(parts.get(0));
        outbox.finish(parts.get(1));
        assertThat(log.invisibleSince()).isEqualTo(created(whole));
        outbox.finish(parts.get(2));
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("the first retraction is due, then the second one is deferred, and no post waits for either")
    void retractions() {
        publish(1);
        outbox.settle();
        outbox.delete(post("bob", 1).key());
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        assertThat(log.retractLater(outbox.claim(), shortLease())).isTrue();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 1, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        kit.outlast();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("a post with an active push does not wait, but a post pushed after it does")
    void activePushes() {
        outbox.append(post("bob", 1), FanoutMode.PUSH_ACTIVE);
        outbox.delete(post("bob", 1).key());
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(2, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        kit.tick();
        publish(2);
        long since = log.invisibleSince();
        Claim pushed = outbox.claimAll().stream()
                .filter(claim -> claim.task().kind() == Kind.PUSH)
                .findFirst()
                .orElseThrow();
        assertThat(since).isEqualTo(created(pushed));
        assertThat(log.invisibleSince()).isEqualTo(since);
    }

    @Test
    @DisplayName("a restarted task is due, but its post does not wait, also if the task is split, fails or is restarted"
            + " twice")
    void restarted() {
        publish(1);
        outbox.append(post("bob", 2), FanoutMode.PULL);
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(2);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(2, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        List<Claim> again = outbox.claimAll();
        assertThat(log.invisibleSince()).as("leased").isZero();
        assertThat(log.split(again.get(0), LogSplitRules.THIRDS)).isTrue();
        fail(again.get(1), 0);
        assertThat(log.invisibleSince()).as("after a split and a failure").isZero();
        kit.tick();
        publish(3);
        long since = log.invisibleSince();
        assertThat(since).isGreaterThan(created(again.get(0)));
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(5);
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("the post of a replayed dead letter does not wait: its author is pulled")
    void replayed() {
        publish(1);
        Claim claim = outbox.claim();
        moveToDeadLetters(claim);
        assertThat(log.replay(List.of(claim.task().id()))).isEqualTo(1);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        release(outbox.claim(), "m", 0);
        assertThat(log.invisibleSince()).isZero();
    }

    @Test
    @DisplayName("a catch-up task makes no post wait")
    void catchUp() {
        outbox.register().put(List.of(post("bob", 1)));
        assertThat(log.catchUp("bob", outbox.entry("bob"))).isTrue();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(1, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
        assertThat(log.split(outbox.claim(), LogSplitRules.THIRDS)).isTrue();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(3, 0, 0, 0));
        assertThat(log.invisibleSince()).isZero();
    }
}
