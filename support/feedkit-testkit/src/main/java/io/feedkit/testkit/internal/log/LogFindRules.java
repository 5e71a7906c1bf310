package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FanoutLog.TaskState;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Finding the tasks of an author. A log that cannot list unfinished tasks finds dead ones. */
public abstract class LogFindRules extends LogRules {

    private static final int MANY = 1000;

    protected LogFindRules(OutboxKit kit) {
        super(kit);
    }

    /** All tasks of the author; skips the test if the log does not list them. */
    private List<FoundTask> tasks() {
        Found found = log.find("bob", MANY);
        assumeTrue(found.whole(), "the log does not list unfinished tasks");
        return found.tasks();
    }

    private FoundTask task() {
        List<FoundTask> tasks = tasks();
        assertThat(tasks).hasSize(1);
        return tasks.get(0);
    }

    @Test
    @DisplayName("an author without tasks has none, among the tasks of others")
    void none() {
        assertThat(log.find("bob", MANY)).isEqualTo(new Found(List.of(), true));
        outbox.publish(post("bo", 1), post("bobo", 1), post("obob", 1));
        assertThat(tasks()).isEmpty();
    }

    @Test
    @DisplayName("a new task is found waiting, as a worker would get it, and finding it changes nothing")
    void waiting() {
        long before = kit.now();
        publish(1);
        FoundTask found = task();
        assertThat(found.state()).isEqualTo(TaskState.WAITING);
        assertThat(found.reason()).isEmpty();
        assertThat(found.until()).isBetween(before - 1, kit.now());
        assertThat(task().task()).as("found again").isEqualTo(found.task());
        assertThat(outbox.claim().task()).isEqualTo(found.task());
    }

    @Test
    @DisplayName("every task of the author is found, and none of others")
    void all() {
        List<Post> posts = posts("bob", 5);
        outbox.publish(posts);
        outbox.publish(posts("amy", 5));
        List<Claim> claims = outbox.claimAll();
        claims.subList(0, 6).forEach(claim -> release(claim, "", 0));
        assertThat(tasks()).extracting(each -> each.task().post()).containsExactlyInAnyOrderElementsOf(posts);
    }

    @Test
    @DisplayName("a leased task is found with its cursor and the end of its lease, and waits when the lease has ended")
    void leased() {
        publish(1);
        Claim claim = outbox.claim(LEASE);
        long before = kit.now();
        checkpoint(claim, "reader-1", shortLease());
        long after = kit.now();
        FoundTask found = task();
        assertThat(found.state()).isEqualTo(TaskState.LEASED);
        assertThat(found.until()).isBetween(before + shortLease(), after + shortLease());
        assertThat(found.task().after()).isEqualTo("reader-1");
        kit.outlast();
        assertThat(task().state()).isEqualTo(TaskState.WAITING);
    }

    @Test
    @DisplayName("a failed task is found waiting, with its attempts and the time of its next one")
    void failed() {
        publish(1);
        Claim claim = outbox.claim();
        long before = kit.now();
        fail(claim, LEASE);
        long after = kit.now();
        FoundTask found = task();
        assertThat(found.state()).isEqualTo(TaskState.WAITING);
        assertThat(found.until()).isBetween(before + LEASE, after + LEASE);
        assertThat(found.task().attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("a lent task is found with the end of its loan")
    void lent() {
        assumeTrue(log.canLend());
        publish(1);
        long before = kit.now();
        List<LentTask> lent = log.lend(1, LEASE, MANY);
        long after = kit.now();
        assertThat(lent).hasSize(1);
        FoundTask found = task();
        assertThat(found.state()).isEqualTo(TaskState.LENT);
        assertThat(found.until()).isBetween(before + LEASE, after + LEASE);
    }

    @Test
    @DisplayName("a dead task is found with its reason and the time when it became dead")
    void dead() {
        outbox.publish(post("bob", 1), post("amy", 1));
        long before = kit.now();
        outbox.claimAll().forEach(claim -> log.moveToDeadLetters(claim, 3, "poison"));
        long after = kit.now();
        Found found = log.find("bob", MANY);
        assertThat(found.whole()).isTrue();
        assertThat(found.tasks()).hasSize(1);
        FoundTask dead = found.tasks().get(0);
        assertThat(dead.state()).isEqualTo(TaskState.DEAD);
        assertThat(dead.reason()).isEqualTo("poison");
        assertThat(dead.until()).isBetween(before, after);
        assertThat(dead.task().attempts()).isEqualTo(3);
        assertThat(dead.task().post()).isEqualTo(post("bob", 1));
    }

    @Test
    @DisplayName("finished and discarded tasks are not found")
    void gone() {
        publish(1);
        publish(2);
        List<Claim> claims = outbox.claimAll();
        outbox.finish(claims.get(0));
        moveToDeadLetters(claims.get(1));
        log.discard(List.of(claims.get(1).task().id()));
        assertThat(log.find("bob", MANY)).isEqualTo(new Found(List.of(), true));
    }

    @Test
    @DisplayName("a retraction is found, also while it is held back")
    void retraction() {
        publish(1);
        outbox.settle();
        outbox.delete(post("bob", 1).key());
        assertThat(task().task().kind()).isEqualTo(Kind.RETRACT);
        assertThat(log.retractLater(outbox.claim(), LEASE)).isTrue();
        Task held = task().task();
        assertThat(held.kind()).isEqualTo(Kind.RETRACT_LATER);
        assertThat(held.key()).isEqualTo(post("bob", 1).key());
    }

    @Test
    @DisplayName("a log that examined only some tasks does not call its answer whole")
    void bounded() {
        outbox.publish(posts("amy", 10));
        outbox.publish(posts("bob", 10));
        Found found = log.find("bob", 5);
        assertThat(found.whole()).isEqualTo(found.tasks().size() == 10);
    }
}
