package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Dead tasks: no worker gets them until they are replayed. Discarded tasks are deleted. */
public abstract class LogDeadRules extends LogRules {

    protected LogDeadRules(OutboxKit kit) {
        super(kit);
    }

    private List<String> deadLetters(int count) {
        outbox.publish(posts("bob", count));
        List<Claim> claims = outbox.claimAll();
        claims.forEach(this::moveToDeadLetters);
        return claims.stream().map(claim -> claim.task().id()).sorted().toList();
    }

    private static List<String> ids(List<Dead> dead) {
        return dead.stream().map(entry -> entry.task().id()).toList();
    }

    @Test
    @DisplayName("a dead task is never due, and is listed with its cursor, its attempts, the reason and the time")
    void moveToDeadLetters() {
        publish(1);
        Claim claim = outbox.claim(shortLease());
        checkpoint(claim, "reader-1", shortLease());
        long before = kit.now();
        assertThat(log.moveToDeadLetters(claim, 3, "poison")).isTrue();
        long after = kit.now();
        kit.outlast();
        assertThat(outbox.nothingDue()).isTrue();
        List<Dead> dead = log.dead("", 10);
        assertThat(dead).hasSize(1);
        Task task = dead.get(0).task();
        assertThat(task.id()).isEqualTo(claim.task().id());
        assertThat(task.kind()).isEqualTo(claim.task().kind());
        assertThat(task.post()).isEqualTo(claim.task().post());
        assertThat(task.range()).isEqualTo(claim.task().range());
        assertThat(task.created()).isEqualTo(claim.task().created());
        assertThat(task.after()).isEqualTo("reader-1");
        assertThat(task.attempts()).isEqualTo(3);
        assertThat(dead.get(0).reason()).isEqualTo("poison");
        assertThat(dead.get(0).died()).isBetween(before, after);
    }

    @Test
    @DisplayName("at least the first 500 characters of a long reason are kept, whatever they are")
    void longReason() {
        publish(1);
        String reason = "Zürich \u2603 'quoted' \"too\"\n\tat {line:1} % \\ ".repeat(100);
        assertThat(log.moveToDeadLetters(outbox.claim(), 1, reason)).isTrue();
        String kept = log.dead("", 1).get(0).reason();
        assertThat(kept).hasSizeGreaterThanOrEqualTo(500);
        assertThat(reason).startsWith(kept);
    }

    @Test
    @DisplayName("dead tasks are listed in the order of their ids, page by page")
    void pages() {
        List<String> ids = deadLetters(10);
        assertThat(ids(log.dead("", 100))).isEqualTo(ids);
        List<String> walked = new ArrayList<>();
        for (List<Dead> page = log.dead("", 3); !page.isEmpty(); ) {
            assertThat(page).hasSize(Math.min(3, 10 - walked.size()));
            walked.addAll(ids(page));
            page = log.dead(walked.get(walked.size() - 1), 3);
        }
        assertThat(walked).isEqualTo(ids);
        assertThat(log.dead(ids.get(9), 3)).isEmpty();
    }

    @Test
    @DisplayName("a page begins above an id, whether it belongs to a dead task or not")
    void pageAfterAnyId() {
        List<String> ids = deadLetters(4);
        outbox.log().replay(List.of(ids.get(1)));
        assertThat(ids(log.dead(ids.get(1), 10))).isEqualTo(ids.subList(2, 4));
    }

    @Test
    @DisplayName("without dead tasks the list is empty")
    void none() {
        publish(1);
        assertThat(log.dead("", 5)).isEmpty();
    }

    @Test
    @DisplayName("a replayed task waits again with its cursor and without attempts, and is no longer dead")
    void replay() {
        publish(1);
        Claim claim = outbox.claim();
        checkpoint(claim, "reader-1", LEASE);
        fail(claim, 0);
        moveToDeadLetters(outbox.claim());
        assertThat(log.replay(List.of(claim.task().id()))).isEqualTo(1);
        assertThat(log.dead("", 5)).isEmpty();
        assertThat(log.queueStatus().dead()).isZero();
        Task task = outbox.claim().task();
        assertThat(task).isEqualTo(claim.task().at("reader-1"));
    }

    @Test
    @DisplayName("tasks that are not dead do not change, and an id given twice is replayed once")
    void replayOthers() {
        List<String> dead = deadLetters(3);
        outbox.publish(posts("amy", 2));
        Claim finished = outbox.claim();
        outbox.finish(finished);
        Claim leased = outbox.claim();
        assertThat(log.replay(List.of(
                        dead.get(2),
                        finished.task().id(),
                        dead.get(0),
                        "unknown",
                        leased.task().id(),
                        dead.get(2))))
                .isEqualTo(2);
        assertThat(ids(log.dead("", 10))).containsExactly(dead.get(1));
        assertThat(outbox.claimTasks()).extracting(Task::id).containsExactlyInAnyOrder(dead.get(0), dead.get(2));
        assertThat(log.replay(List.of(dead.get(0)))).isZero();
    }

    @Test
    @DisplayName(
            "a discarded task is deleted: it is neither listed nor counted, and can be neither replayed nor restarted")
    void discard() {
        List<String> dead = deadLetters(3);
        assertThat(log.discard(List.of(dead.get(1)))).isEqualTo(1);
        assertThat(ids(log.dead("", 10))).containsExactly(dead.get(0), dead.get(2));
        assertThat(log.queueStatus().dead()).isEqualTo(2);
        assertThat(log.discard(List.of(dead.get(1)))).as("again").isZero();
        assertThat(log.replay(List.of(dead.get(1)))).isZero();
        log.restart(0, 0);
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.replay(dead)).isEqualTo(2);
        assertThat(outbox.claimTasks()).extracting(Task::id).containsExactlyInAnyOrder(dead.get(0), dead.get(2));
    }

    @Test
    @DisplayName("tasks that are not dead are not discarded, and an id given twice is discarded once")
    void discardOthers() {
        List<String> dead = deadLetters(4);
        assertThat(log.replay(List.of(dead.get(1)))).isEqualTo(1);
        outbox.publish(posts("amy", 2));
        Claim finished = outbox.claim();
        outbox.finish(finished);
        Claim leased = outbox.claim();
        List<String> all = new ArrayList<>(dead);
        all.addAll(List.of(
                "", "unknown", dead.get(2), finished.task().id(), leased.task().id()));
        all.remove(dead.get(3));
        assertThat(log.discard(all)).isEqualTo(2);
        assertThat(ids(log.dead("", 10))).containsExactly(dead.get(3));
        assertThat(outbox.claimTasks()).hasSize(1);
        outbox.finish(leased);
        assertThat(log.restart(0, 0)).hasValue(2);
    }

    @Test
    @DisplayName("a dead task does not expire")
    void deadLast() {
        List<String> ids = deadLetters(1);
        kit.pass(kit.longTime());
        assertThat(ids(log.dead("", 5))).isEqualTo(ids);
        assertThat(log.replay(ids)).isEqualTo(1);
    }
}
