package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loans: which tasks are lent, who may take them, and how other calls see a lent task. */
public abstract class LogLendingRules extends LogRules {

    private static final int WINDOW = 100;

    protected LogLendingRules(OutboxKit kit) {
        super(kit);
    }

    private LentTask lend(long loanMillis) {
        List<LentTask> lent = log.lend(1, loanMillis, WINDOW);
        assertThat(lent).as("tasks to lend").hasSize(1);
        return lent.get(0);
    }

    private LentTask lend() {
        return lend(LEASE);
    }

    private boolean nothingToLend() {
        return log.lend(1, LEASE, WINDOW).isEmpty();
    }

    private Claim take(LentTask lent) {
        List<Optional<Claim>> taken = log.take(List.of(lent.loan()), LEASE);
        assertThat(taken).as("answers to take").hasSize(1);
        assertThat(taken.get(0)).as("the claim of %s", lent).isPresent();
        return taken.get(0).orElseThrow();
    }

    private void assertCannotBeTaken(LentTask lent) {
        QueueStatus before = log.queueStatus();
        assertThat(log.take(List.of(lent.loan()), LEASE)).containsExactly(Optional.empty());
        assertThat(log.queueStatus()).isEqualTo(before);
    }

    private void returnLoan(LentTask lent) {
        assertThat(log.returnLoans(List.of(lent.loan())))
                .as("answer to returnLoans")
                .containsExactly(true);
    }

    @Test
    @DisplayName("there is nothing to lend in an empty log, and no loan to take or return")
    void nothing() {
        assertThat(log.lend(5, LEASE, WINDOW)).isEmpty();
        assertThat(log.take(List.of(), LEASE)).isEmpty();
        assertThat(log.returnLoans(List.of())).isEmpty();
    }

    @Test
    @DisplayName("the requested number of tasks is lent, fewer only if no more are due")
    void max() {
        outbox.publish(posts("bob", 5));
        assertThat(log.lend(2, LEASE, WINDOW)).hasSize(2);
        assertThat(log.lend(10, LEASE, WINDOW)).hasSize(3);
        assertThat(log.lend(10, LEASE, WINDOW)).isEmpty();
    }

    @Test
    @DisplayName("lending and taking do not change a task")
    void asItIs() {
        publish(1);
        Claim first = outbox.claim();
        checkpoint(first, "reader-1", LEASE);
        fail(first, 0);
        LentTask lent = lend();
        assertThat(lent.task().after()).isEqualTo("reader-1");
        assertThat(lent.task().attempts()).isEqualTo(1);
        assertThat(lent.loan().taskId()).isEqualTo(first.task().id());
        assertThat(lent.lapsed()).isFalse();
        assertThat(take(lent).task()).isEqualTo(lent.task());
    }

    @Test
    @DisplayName("a task that is lent is neither lent again nor leased, and one that is leased is not lent")
    void exclusive() {
        publish(1);
        lend();
        kit.tick();
        assertThat(nothingToLend()).isTrue();
        assertThat(outbox.nothingDue()).isTrue();
        publish(2);
        outbox.claim();
        kit.tick();
        assertThat(nothingToLend()).isTrue();
    }

    @Test
    @DisplayName("the window bounds the number of tasks lent by all relays; taken and returned tasks make room")
    void window() {
        outbox.publish(posts("bob", 20));
        List<LentTask> first = log.lend(10, LEASE, 4);
        assertThat(first).hasSize(4);
        assertThat(log.lend(10, LEASE, 4)).isEmpty();
        assertThat(kit.anotherLog().lend(10, LEASE, 4)).isEmpty();
        take(first.get(0));
        returnLoan(first.get(1));
        assertThat(kit.anotherLog().lend(10, LEASE, 4)).hasSize(2);
        assertThat(log.lend(10, LEASE, 4)).isEmpty();
        assertThat(log.lend(10, LEASE, 7)).hasSize(3);
    }

    @Test
    @DisplayName("an expired loan makes room in the window")
    void lapsedMakesRoom() {
        outbox.publish(posts("bob", 4));
        assertThat(log.lend(2, shortLease(), 2)).hasSize(2);
        kit.outlast();
        assertThat(log.lend(4, LEASE, 2)).hasSize(2);
        assertThat(log.lend(4, LEASE, 2)).isEmpty();
    }

    @Test
    @DisplayName("an expired loan does not count as an attempt; the task is due again, and reports the expired loan")
    void lapseIsNoAttempt() {
        publish(1);
        Task before = lend(shortLease()).task();
        for (int i = 0; i < 3; i++) {
            kit.outlast();
            LentTask again = lend(shortLease());
            assertThat(again.task()).isEqualTo(before);
            assertThat(again.lapsed()).isTrue();
        }
        kit.outlast();
        Claim claim = outbox.claim();
        assertThat(claim.task()).isEqualTo(before);
        release(claim, "", 0);
        assertThat(lend().lapsed()).isFalse();
    }

    @Test
    @DisplayName("an expired lease counts as an attempt, also if the task is lent next, and after a loan was taken")
    void abandoned() {
        publish(1);
        outbox.claim(shortLease());
        kit.outlast();
        LentTask lent = lend();
        assertThat(lent.task().attempts()).isEqualTo(1);
        assertThat(lent.lapsed()).isFalse();
        assertThat(log.take(List.of(lent.loan()), shortLease()).get(0)).isPresent();
        kit.outlast();
        assertThat(outbox.claim().task().attempts()).isEqualTo(2);
    }

    @Test
    @DisplayName("a loan lasts for the requested time, and so does the lease of a taken loan")
    void lasts() {
        publish(1);
        LentTask lent = lend(shortLease());
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(log.take(List.of(lent.loan()), shortLease()).get(0)).isPresent();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isFalse();
    }

    @Test
    @DisplayName("an expired loan cannot be taken or returned, also if the task was not claimed since")
    void lapsed() {
        publish(1);
        LentTask lent = lend(shortLease());
        kit.outlast();
        assertCannotBeTaken(lent);
        assertThat(log.returnLoans(List.of(lent.loan()))).containsExactly(false);
        LentTask again = lend();
        assertCannotBeTaken(lent);
        assertThat(log.returnLoans(List.of(lent.loan()))).containsExactly(false);
        take(again);
    }

    @Test
    @DisplayName("a loan can be taken once, and its token is no lease")
    void takenOnce() {
        publish(1);
        LentTask lent = lend();
        Claim claim = take(lent);
        assertThat(claim.lease()).isNotEqualTo(lent.loan().token());
        assertCannotBeTaken(lent);
        assertThat(log.returnLoans(List.of(lent.loan()))).containsExactly(false);
        assertThat(log.finish(List.of(new Claim(lent.task(), lent.loan().token())), RETAIN))
                .containsExactly(false);
        outbox.finish(claim);
        assertCannotBeTaken(lent);
    }

    @Test
    @DisplayName("a loan that occurs twice in one call is taken once")
    void twiceInOneCall() {
        publish(1);
        Loan loan = lend().loan();
        List<Optional<Claim>> taken = log.take(List.of(loan, loan), LEASE);
        assertThat(taken).hasSize(2);
        assertThat(taken.stream().flatMap(Optional::stream)).hasSize(1);
        outbox.finish(taken.stream().flatMap(Optional::stream).findFirst().orElseThrow());
    }

    @ParameterizedTest
    @EnumSource(LogLostLeaseRules.Call.class)
    @DisplayName("calls that need a lease are refused for a loan")
    void noLease(LogLostLeaseRules.Call call) {
        publish(1);
        LentTask lent = lend();
        QueueStatus before = log.queueStatus();
        assertThat(call.accepted(log, new Claim(lent.task(), lent.loan().token())))
                .as("answer to %s", call)
                .isFalse();
        assertThat(log.queueStatus()).isEqualTo(before);
        assertThat(take(lent).task()).isEqualTo(lent.task());
    }

    @Test
    @DisplayName("a lease cannot be taken or returned as a loan")
    void noLoan() {
        publish(1);
        Claim claim = outbox.claim();
        Loan loan = new Loan(claim.task().id(), claim.lease());
        assertThat(log.take(List.of(loan), LEASE)).containsExactly(Optional.empty());
        assertThat(log.returnLoans(List.of(loan))).containsExactly(false);
        outbox.finish(claim);
    }

    @Test
    @DisplayName("a task whose loan is returned waits at once, with cursor and attempts, and the loan cannot be taken")
    void returned() {
        publish(1);
        Claim first = outbox.claim();
        checkpoint(first, "reader-1", LEASE);
        fail(first, 0);
        LentTask lent = lend();
        returnLoan(lent);
        assertCannotBeTaken(lent);
        assertThat(log.returnLoans(List.of(lent.loan()))).containsExactly(false);
        LentTask again = lend();
        assertThat(again.task()).isEqualTo(lent.task());
        assertThat(again.loan()).isNotEqualTo(lent.loan());
        assertThat(again.lapsed()).isFalse();
        take(again);
    }

    @Test
    @DisplayName(
            "one call answers for valid loans, for expired loans, and for loans of finished or unknown tasks, each in"
                    + " its place")
    void mixed() {
        outbox.publish(posts("bob", 4));
        LentTask gone = lend(shortLease());
        LentTask good = lend();
        LentTask finished = lend();
        LentTask alsoGood = lend();
        outbox.finish(take(finished));
        kit.outlast();
        Loan unknown = new Loan("no-such-task", 1);
        Loan another = new Loan(good.task().id(), good.loan().token() + 2);
        List<Optional<Claim>> taken =
                log.take(List.of(gone.loan(), good.loan(), unknown, finished.loan(), another, alsoGood.loan()), LEASE);
        assertThat(taken.stream().map(claim -> claim.map(Claim::task)))
                .containsExactly(
                        Optional.empty(),
                        Optional.of(good.task()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(alsoGood.task()));
        assertThat(log.returnLoans(List.of(gone.loan(), unknown))).containsExactly(false, false);
    }

    @Test
    @DisplayName("lending and claiming share one order: the task that has waited longest comes first")
    void order() {
        for (int n = 1; n <= 5; n++) {
            publish(n);
            kit.tick();
        }
        List<Post> posts = new ArrayList<>();
        posts.add(lend().task().post());
        posts.add(outbox.claim().task().post());
        log.lend(2, LEASE, WINDOW).forEach(lent -> posts.add(lent.task().post()));
        posts.add(outbox.claim().task().post());
        assertThat(posts.subList(0, 2)).containsExactly(post("bob", 1), post("bob", 2));
        assertThat(posts.subList(2, 4)).containsExactlyInAnyOrder(post("bob", 3), post("bob", 4));
        assertThat(posts.get(4)).isEqualTo(post("bob", 5));
    }

    @Test
    @DisplayName("tasks whose loans are returned or expire take turns with all others")
    void takeTurns() {
        publish(1);
        kit.tick();
        publish(2);
        LentTask first = lend();
        kit.tick();
        returnLoan(first);
        kit.tick();
        publish(3);
        assertThat(lend(shortLease()).task().post()).isEqualTo(post("bob", 2));
        assertThat(lend().task().post()).isEqualTo(post("bob", 1));
        kit.outlast();
        publish(4);
        assertThat(lend().task().post()).isEqualTo(post("bob", 3));
        assertThat(lend().task().post()).isEqualTo(post("bob", 2));
        assertThat(lend().task().post()).isEqualTo(post("bob", 4));
    }

    @Test
    @DisplayName("a token is never used again for the task")
    void tokensAreNew() {
        publish(1);
        Set<Long> tokens = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            LentTask returned = lend();
            assertThat(tokens.add(returned.loan().token())).isTrue();
            returnLoan(returned);
            assertThat(tokens.add(lend(shortLease()).loan().token())).isTrue();
            kit.outlast();
            LentTask taken = lend();
            assertThat(tokens.add(taken.loan().token())).isTrue();
            Claim claim = take(taken);
            assertThat(tokens.add(claim.lease())).isTrue();
            release(claim, "", 0);
        }
    }

    @Test
    @DisplayName("lent tasks count as due and as lent")
    void status() {
        outbox.publish(posts("bob", 3));
        log.lend(1, shortLease(), WINDOW);
        LentTask lent = lend();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(3, 0, 0, 2));
        assertThat(log.queueStatus().unfinished()).isEqualTo(3);
        kit.outlast();
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(3, 0, 0, 1));
        Claim claim = take(lent);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(3, 0, 0, 0));
        outbox.finish(claim);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(2, 0, 0, 0));
    }

    @Test
    @DisplayName("the settled mark stays behind a lent task, and its post is not visible yet")
    void unsettled() {
        publish(1);
        long created = lend().task().created();
        kit.tick();
        publish(2);
        kit.tick();
        outbox.finish(outbox.claim());
        assertThat(outbox.outbox().settledMark()).isLessThanOrEqualTo(created);
        assertThat(log.invisibleSince()).isEqualTo(created);
    }

    @Test
    @DisplayName("a delayed task is not lent, and hastening does not change lent tasks")
    void heldBack() {
        publish(1);
        release(outbox.claim(), "reader-1", LEASE);
        assertThat(nothingToLend()).isTrue();
        publish(2);
        LentTask lent = lend();
        assertThat(log.hasten(10)).isEqualTo(1);
        assertThat(lend().task().after()).isEqualTo("reader-1");
        take(lent);
    }

    @Test
    @DisplayName("a restart resets a lent task to its beginning, and the task stays lent")
    void restart() {
        publish(1);
        release(outbox.claim(), "reader-1", 0);
        LentTask lent = lend();
        assertThat(log.restart(1_000, 0)).hasValue(0);
        assertThat(nothingToLend()).isTrue();
        Claim claim = take(lent);
        assertThat(claim.task().after()).isEmpty();
        outbox.finish(claim);
    }

    @Test
    @DisplayName(
            "a task that was lent and taken is split, retracted, moved to the dead letters and restarted like others")
    void likeOthers() {
        outbox.publish(posts("bob", 3));
        List<Claim> claims = new ArrayList<>();
        for (LentTask lent : log.lend(3, LEASE, WINDOW)) {
            claims.add(take(lent));
        }
        List<KeyRange> halves = List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END));
        assertThat(log.split(claims.get(0), halves)).isTrue();
        assertThat(log.lend(10, LEASE, WINDOW))
                .extracting(lent -> lent.task().range())
                .containsExactlyInAnyOrderElementsOf(halves);
        moveToDeadLetters(claims.get(1));
        assertThat(log.replay(List.of(claims.get(1).task().id()))).isEqualTo(1);
        outbox.finish(claims.get(2));
        assertThat(log.restart(0, 0)).hasValue(1);
        assertThat(log.lend(10, LEASE, WINDOW))
                .extracting(lent -> lent.task().id())
                .containsExactlyInAnyOrder(
                        claims.get(1).task().id(), claims.get(2).task().id());
    }

    @Test
    @DisplayName("a catch-up that is lent is not recorded twice")
    void catchUp() {
        outbox.register().put(List.of(post("bob", 1)));
        assertThat(log.catchUp("bob", outbox.entry("bob"))).isTrue();
        LentTask lent = lend();
        assertThat(log.catchUp("bob", outbox.entry("bob"))).isFalse();
        outbox.finish(take(lent));
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        publish(1);
        List<LentTask> lent = log.lend(1, LEASE, WINDOW);
        assertThatThrownBy(lent::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
        List<Optional<Claim>> taken = log.take(List.of(lent.get(0).loan()), LEASE);
        assertThatThrownBy(taken::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
