package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A second retraction, which waits until no insertion from before the delete can still arrive. */
public abstract class LogRetractRules extends LogRules {

    protected LogRetractRules(OutboxKit kit) {
        super(kit);
    }

    @BeforeEach
    void deletePost() {
        publish(1);
        outbox.settle();
        outbox.delete(post("bob", 1).key());
    }

    @Test
    @DisplayName("the task is replaced by one for the same post and range, from the beginning and without attempts")
    void replaced() {
        fail(outbox.claim(), 0);
        Claim first = outbox.claim();
        checkpoint(first, "reader-1", LEASE);
        assertThat(log.retractLater(first, 0)).isTrue();
        Task again = outbox.claim().task();
        assertThat(again.kind()).isEqualTo(Kind.RETRACT_LATER);
        assertThat(again.oldest()).isEqualTo(first.task().oldest());
        assertThat(again.newest()).isEqualTo(first.task().newest());
        assertThat(again.range()).isEqualTo(first.task().range());
        assertThat(again.version()).isZero();
        assertThat(again.after()).isEmpty();
        assertThat(again.attempts()).isZero();
    }

    @Test
    @DisplayName("it waits for the requested time, and counts as unfinished meanwhile")
    void waits() {
        assertThat(log.retractLater(outbox.claim(), shortLease())).isTrue();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.queueStatus().unfinished()).isEqualTo(1);
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.claim().task().kind()).isEqualTo(Kind.RETRACT_LATER);
    }

    @Test
    @DisplayName("the first task is gone: it is neither due again, nor restarted")
    void firstIsGone() {
        Claim first = outbox.claim(shortLease());
        assertThat(log.retractLater(first, 0)).isTrue();
        assertThat(log.retractLater(first, 0)).isFalse();
        Claim again = outbox.claim();
        kit.outlast();
        assertThat(outbox.nothingDue()).isTrue();
        outbox.finish(again);
        assertThat(log.queueStatus().unfinished()).isZero();
        kit.tick();
        assertThat(log.restart(0, kit.now() - kit.shortTime().toMillis())).hasValue(1);
        assertThat(outbox.claim().task().kind()).isEqualTo(Kind.RETRACT_LATER);
    }

    @Test
    @DisplayName("each part of a split retraction has its own delay")
    void parts() {
        assertThat(log.split(outbox.claim(), LogSplitRules.THIRDS)).isTrue();
        List<Claim> parts = outbox.claimAll();
        parts.forEach(part -> assertThat(log.retractLater(part, 0)).isTrue());
        List<Task> again = outbox.claimTasks();
        assertThat(again).extracting(Task::kind).containsOnly(Kind.RETRACT_LATER);
        assertThat(again).extracting(Task::range).containsExactlyInAnyOrderElementsOf(LogSplitRules.THIRDS);
        assertThat(again).extracting(Task::id).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName(
            "the post is recorded as being retracted until the retraction is reported, whatever happens to the tasks")
    void noted() {
        assertThat(log.retractLater(outbox.claim(), 0)).isTrue();
        outbox.settle();
        assertThat(RegisterSnapshot.of(outbox.register()).retracting())
                .containsExactly(post("bob", 1).key());
    }

    @Test
    @DisplayName("hastening does not shorten its delay, which is intended")
    void notHastened() {
        assertThat(log.retractLater(outbox.claim(), LEASE)).isTrue();
        assertThat(log.hasten(10)).isZero();
        assertThat(outbox.nothingDue()).isTrue();
    }
}
