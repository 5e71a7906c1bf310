package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One CATCH_UP task for each version of an author's register entry. */
public abstract class LogCatchUpRules extends LogRules {

    protected LogCatchUpRules(OutboxKit kit) {
        super(kit);
    }

    /** The author's entry in the register after a further unpushed post. */
    private Entry unpushed(String author, int n) {
        outbox.register().put(List.of(post(author, n)));
        return outbox.entry(author);
    }

    @Test
    @DisplayName("it is recorded with the entry's positions and version, for all followers")
    void recorded() {
        unpushed("bob", 3);
        Entry entry = unpushed("bob", 7);
        long before = kit.now();
        assertThat(log.catchUp("bob", entry)).isTrue();
        long after = kit.now();
        Task task = outbox.claim().task();
        assertThat(task.kind()).isEqualTo(Kind.CATCH_UP);
        assertThat(task.author()).isEqualTo("bob");
        assertThat(task.oldest()).isEqualTo(entry.oldest());
        assertThat(task.newest()).isEqualTo(entry.newest());
        assertThat(task.version()).isEqualTo(entry.version());
        assertThat(task.range()).isEqualTo(KeyRange.ALL);
        assertThat(task.after()).isEmpty();
        assertThat(task.attempts()).isZero();
        assertThat(task.created()).isBetween(before, after);
    }

    @Test
    @DisplayName("it is not recorded twice for one version, whether the first is waiting, leased, delayed or failed")
    void once() {
        Entry entry = unpushed("bob", 1);
        assertThat(log.catchUp("bob", entry)).isTrue();
        assertThat(log.catchUp("bob", entry)).isFalse();
        Claim claim = outbox.claim();
        assertThat(log.catchUp("bob", entry)).isFalse();
        fail(claim, 0);
        assertThat(log.catchUp("bob", entry)).isFalse();
        release(outbox.claim(), "reader-1", LEASE);
        assertThat(log.catchUp("bob", entry)).isFalse();
        assertThat(log.queueStatus().unfinished()).isEqualTo(1);
    }

    @Test
    @DisplayName("a new version of the entry, or another author's entry, gets a separate task")
    void perVersionAndAuthor() {
        assertThat(log.catchUp("bob", unpushed("bob", 1))).isTrue();
        assertThat(log.catchUp("bob", unpushed("bob", 2))).isTrue();
        assertThat(log.catchUp("amy", unpushed("amy", 1))).isTrue();
        assertThat(outbox.claimTasks()).extracting(Task::author).containsExactlyInAnyOrder("bob", "bob", "amy");
    }

    @Test
    @DisplayName("when the first is finished, another may be recorded for the same version")
    void afterFinish() {
        Entry entry = unpushed("bob", 1);
        assertThat(log.catchUp("bob", entry)).isTrue();
        outbox.settle();
        assertThat(log.catchUp("bob", entry)).isTrue();
        assertThat(outbox.claimAll()).hasSize(1);
    }

    @Test
    @DisplayName("a restarted one is unfinished again")
    void afterReopen() {
        Entry entry = unpushed("bob", 1);
        assertThat(log.catchUp("bob", entry)).isTrue();
        outbox.settle();
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(log.catchUp("bob", entry)).isFalse();
    }

    @Test
    @DisplayName("a split one keeps its version in every part, and is unfinished until the last part is finished")
    void split() {
        Entry entry = unpushed("bob", 1);
        assertThat(log.catchUp("bob", entry)).isTrue();
        assertThat(log.split(outbox.claim(), LogSplitRules.THIRDS)).isTrue();
        List<Claim> parts = outbox.claimAll();
        assertThat(parts).hasSize(3).allSatisfy(part -> {
            assertThat(part.task().kind()).isEqualTo(Kind.CATCH_UP);
            assertThat(part.task().version()).isEqualTo(entry.version());
            assertThat(log.catchUp("bob", entry)).isFalse();
            outbox.finish(part);
        });
        assertThat(log.catchUp("bob", entry)).isTrue();
    }

    @Test
    @DisplayName("awkward author ids are separate")
    void awkwardIds() {
        for (String author : AWKWARD_IDS) {
            Entry entry = unpushed(author, 1);
            assertThat(log.catchUp(author, new Entry(entry.oldest(), entry.newest(), 1)))
                    .isTrue();
        }
        assertThat(outbox.claimTasks()).extracting(Task::author).containsExactlyInAnyOrderElementsOf(AWKWARD_IDS);
    }
}
