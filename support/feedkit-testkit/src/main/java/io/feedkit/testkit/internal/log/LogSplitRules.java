package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Splits: one task becomes several tasks, for several workers. */
public abstract class LogSplitRules extends LogRules {

    static final List<KeyRange> THIRDS =
            List.of(new KeyRange("", "h"), new KeyRange("h", "p{:*"), new KeyRange("p{:*", KeyRange.END));

    protected LogSplitRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("each range gets a waiting task of its own, with the same posts and creation time, from the beginning")
    void parts() {
        publish(1);
        fail(outbox.claim(), 0);
        Claim whole = outbox.claim();
        checkpoint(whole, "reader-1", LEASE);
        kit.tick();
        assertThat(log.split(whole, THIRDS)).isTrue();
        List<Task> parts = outbox.claimTasks();
        assertThat(parts).extracting(Task::range).containsExactlyInAnyOrderElementsOf(THIRDS);
        assertThat(parts).extracting(Task::id).doesNotHaveDuplicates();
        assertThat(parts).allSatisfy(part -> {
            assertThat(part.kind()).isEqualTo(whole.task().kind());
            assertThat(part.oldest()).isEqualTo(whole.task().oldest());
            assertThat(part.newest()).isEqualTo(whole.task().newest());
            assertThat(part.version()).isEqualTo(whole.task().version());
            assertThat(part.created()).isEqualTo(whole.task().created());
            assertThat(part.after()).isEmpty();
            assertThat(part.attempts()).isZero();
        });
    }

    @Test
    @DisplayName("the split task is gone, and never due again")
    void wholeIsGone() {
        publish(1);
        Claim whole = outbox.claim(shortLease());
        assertThat(log.split(whole, THIRDS)).isTrue();
        assertThat(log.queueStatus().unfinished()).isEqualTo(3);
        assertThat(outbox.claimAll()).hasSize(3);
        kit.outlast();
        assertThat(outbox.nothingDue()).isTrue();
    }

    @Test
    @DisplayName("a split into one range is allowed, and a part can be split again")
    void again() {
        publish(1);
        assertThat(log.split(outbox.claim(), List.of(KeyRange.ALL))).isTrue();
        Claim part = outbox.claim();
        assertThat(part.task().range()).isEqualTo(KeyRange.ALL);
        assertThat(log.split(part, THIRDS)).isTrue();
        assertThat(outbox.claimTasks()).extracting(Task::range).containsExactlyInAnyOrderElementsOf(THIRDS);
    }

    @Test
    @DisplayName("the parts are independent")
    void partsAreIndependent() {
        publish(1);
        assertThat(log.split(outbox.claim(), THIRDS)).isTrue();
        List<Claim> parts = outbox.claimAll();
        checkpoint(parts.get(0), "c", LEASE);
        outbox.finish(parts.get(1));
        moveToDeadLetters(parts.get(2));
        fail(parts.get(0), 0);
        Task left = outbox.claim().task();
        assertThat(left.id()).isEqualTo(parts.get(0).task().id());
        assertThat(left.after()).isEqualTo("c");
        assertThat(log.queueStatus().unfinished()).isEqualTo(1);
        assertThat(log.queueStatus().dead()).isEqualTo(1);
    }

    @Test
    @DisplayName("retractions split like pushes")
    void splitRetraction() {
        publish(1);
        outbox.settle();
        outbox.delete(post("bob", 1).key());
        assertThat(log.split(outbox.claim(), THIRDS)).isTrue();
        assertThat(outbox.claimTasks())
                .extracting(Task::kind)
                .containsOnly(Kind.RETRACT)
                .hasSize(3);
    }

    @Test
    @DisplayName("the given list of ranges is copied: later changes of it have no effect")
    void copies() {
        publish(1);
        List<KeyRange> given = new ArrayList<>(THIRDS);
        assertThat(log.split(outbox.claim(), given)).isTrue();
        given.clear();
        assertThat(outbox.claimTasks()).extracting(Task::range).containsExactlyInAnyOrderElementsOf(THIRDS);
    }
}
