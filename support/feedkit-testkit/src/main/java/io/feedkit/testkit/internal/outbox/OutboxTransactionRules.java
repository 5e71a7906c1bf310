package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.internal.RegisterAsker;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.TransactionalKit.OpenTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Posts and deletions that take effect if and only if the host's own transaction commits. */
public abstract class OutboxTransactionRules extends OutboxRules {

    private final TransactionalKit host;

    protected OutboxTransactionRules(TransactionalKit kit) {
        super(kit);
        host = kit;
    }

    private OutboxWriterDriver joining(OpenTransaction transaction) {
        return new OutboxWriterDriver(host.outbox().joining(transaction.handle()));
    }

    @Test
    @DisplayName("an append becomes visible, with its task, when the transaction commits, and not before")
    void appendCommitted() {
        Post post = post("bob", 1);
        OpenTransaction transaction = host.begin();
        assertThat(joining(transaction).append(post, FanoutMode.PULL).status()).isEqualTo(Status.NEW);
        assertThat(outbox.posts("bob")).isEmpty();
        assertThat(outbox.nothingDue()).isTrue();
        transaction.commit().run();
        assertThat(outbox.posts("bob")).containsExactly(post);
        Task task = outbox.claim().task();
        assertThat(task.kind()).isEqualTo(Kind.PULL);
        assertThat(task.post()).isEqualTo(post);
    }

    @Test
    @DisplayName("an append is never seen if the transaction rolls back, and the post can be published later")
    void appendRolledBack() {
        OpenTransaction transaction = host.begin();
        joining(transaction).append(post("bob", 1));
        transaction.rollback().run();
        assertThat(outbox.posts("bob")).isEmpty();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(outbox.append(post("bob", 1)).status()).isEqualTo(Status.NEW);
    }

    @Test
    @DisplayName("a deletion takes effect, with its task and its register entry, when the transaction commits, and not"
            + " before")
    void deleteCommitted() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.settle();
        OpenTransaction transaction = host.begin();
        assertThat(joining(transaction).delete(post.key())).isTrue();
        assertThat(outbox.exists(post.key())).isTrue();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(RegisterSnapshot.of(outbox.register()).retracting()).isEmpty();
        transaction.commit().run();
        assertThat(outbox.exists(post.key())).isFalse();
        assertThat(outbox.claim().task().kind()).isEqualTo(Kind.RETRACT);
        assertThat(RegisterSnapshot.of(outbox.register()).retracting()).containsExactly(post.key());
        assertThat(outbox.append(post).status()).isEqualTo(Status.DELETED);
    }

    @Test
    @DisplayName("a deletion has no effect if the transaction rolls back")
    void deleteRolledBack() {
        Post seen = post("bob", 1);
        Post unseen = post("bob", 2);
        outbox.publish(seen);
        outbox.settle();
        OpenTransaction transaction = host.begin();
        joining(transaction).delete(seen.key());
        joining(transaction).delete(unseen.key());
        transaction.rollback().run();
        assertThat(outbox.exists(seen.key())).isTrue();
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(RegisterSnapshot.of(outbox.register()).retracting()).isEmpty();
        assertThat(outbox.append(unseen).status()).isEqualTo(Status.NEW);
    }

    @Test
    @DisplayName("a deletion whose transaction stays open while later ones commit is in an update after its own commit")
    void deleteCommittedLate() {
        assertRetractingAfterCommit(Duration.ofMillis(2));
    }

    @Test
    @DisplayName(
            "a deletion is in an update after its commit, even if its transaction was open longer than updates go back")
    void deleteCommittedMuchLater() {
        assertRetractingAfterCommit(kit.longTime());
    }

    private void assertRetractingAfterCommit(Duration open) {
        PostKey late = post("bob", 1).key();
        PostKey alone = post("amy", 1).key();
        PostKey quick = post("cid", 1).key();
        publishForDeletion();
        RegisterAsker rare = RegisterAsker.ofAll(outbox.register());
        rare.ask();
        RegisterAsker asker = rare.copy();
        RegisterAsker ofOne = RegisterAsker.of(outbox.register(), List.of("bob"));
        ofOne.ask();
        OpenTransaction transaction = host.begin();
        assertThat(joining(transaction).delete(late)).isTrue();
        kit.pass(open);
        outbox.delete(alone);
        assertRetracting(asker, alone);
        OpenTransaction another = host.begin();
        joining(another).delete(quick);
        another.commit().run();
        assertRetracting(asker, alone, quick);
        assertRetracting(asker, alone, quick);
        assertRetracting(ofOne);
        transaction.commit().run();
        assertRetracting(asker, alone, quick, late);
        assertRetracting(ofOne, late);
        assertRetracting(rare, alone, quick, late);
    }

    private void publishForDeletion() {
        outbox.publish(post("amy", 1), post("bob", 1), post("cid", 1));
        outbox.settle();
    }

    private static void assertRetracting(RegisterAsker asker, PostKey... retracting) {
        asker.ask();
        assertThat(asker.believed().retracting())
                .as("posts being retracted, by the updates so far")
                .containsExactlyInAnyOrder(retracting);
    }

    @Test
    @DisplayName("a deletion that is rolled back is in no update, also after updates with later ones")
    void deleteRolledBackLate() {
        publishForDeletion();
        RegisterAsker rare = RegisterAsker.ofAll(outbox.register());
        rare.ask();
        RegisterAsker asker = rare.copy();
        OpenTransaction transaction = host.begin();
        joining(transaction).delete(post("bob", 1).key());
        assertRetracting(asker);
        outbox.delete(post("amy", 1).key());
        assertRetracting(asker, post("amy", 1).key());
        transaction.rollback().run();
        assertRetracting(asker, post("amy", 1).key());
        outbox.delete(post("cid", 1).key());
        assertRetracting(asker, post("amy", 1).key(), post("cid", 1).key());
        assertRetracting(rare, post("amy", 1).key(), post("cid", 1).key());
    }

    @Test
    @DisplayName("all changes of one transaction take effect together, through whichever views they were made")
    void allTogether() {
        outbox.publish(post("amy", 1));
        outbox.settle();
        OpenTransaction transaction = host.begin();
        joining(transaction).publish(posts("bob", 3));
        joining(transaction).delete(post("amy", 1).key());
        joining(transaction).append(post("cid", 1));
        assertThat(outbox.nothingDue()).isTrue();
        transaction.commit().run();
        assertThat(outbox.posts("bob")).hasSize(3);
        assertThat(outbox.posts("amy")).isEmpty();
        assertThat(outbox.posts("cid")).hasSize(1);
        assertThat(outbox.claimAll()).hasSize(5);
    }

    @Test
    @DisplayName("the transaction sees its own appends and deletions")
    void seesItself() {
        Post stored = post("bob", 1);
        outbox.publish(stored);
        OpenTransaction transaction = host.begin();
        OutboxWriterDriver joined = joining(transaction);
        assertThat(joined.append(stored).status()).isEqualTo(Status.SAME);
        assertThat(joined.append(post("bob", 2)).status()).isEqualTo(Status.NEW);
        assertThat(joined.append(post("bob", 2)).status()).isEqualTo(Status.SAME);
        assertThat(joined.delete(post("bob", 2).key())).isTrue();
        assertThat(joined.delete(post("bob", 2).key())).isFalse();
        assertThat(joined.append(post("bob", 2)).status()).isEqualTo(Status.DELETED);
        transaction.commit().run();
        assertThat(outbox.posts("bob")).containsExactly(stored);
        assertThat(outbox.append(post("bob", 2)).status()).isEqualTo(Status.DELETED);
    }

    @Test
    @DisplayName(
            "a policy gets the same answers within it as outside: which authors are pulled, and how long posts have"
                    + " waited to show")
    void answersPolicies() {
        outbox.append(post("bob", 1), FanoutMode.PULL);
        outbox.append(post("amy", 1), FanoutMode.PUSH);
        outbox.register().put(List.of(post("bob", 1)));
        OpenTransaction transaction = host.begin();
        assertThat(host.outbox().pulledAmong(transaction.handle(), Set.of("amy", "bob", "nobody")))
                .containsExactly("bob");
        assertThat(host.outbox().invisibleSince(transaction.handle()))
                .isPositive()
                .isEqualTo(outbox.log().invisibleSince());
        transaction.rollback().run();
    }

    @Test
    @DisplayName("an open transaction does not block other appends")
    void othersGoOn() {
        OpenTransaction transaction = host.begin();
        joining(transaction).append(post("bob", 1));
        outbox.publish(post("amy", 1));
        assertThat(outbox.posts("amy")).hasSize(1);
        transaction.rollback().run();
        assertThat(outbox.posts("amy")).hasSize(1);
        assertThat(outbox.posts("bob")).isEmpty();
    }

    @Test
    @DisplayName("the settled mark stays behind an append whose transaction is open")
    void markStaysBehind() {
        OpenTransaction transaction = host.begin();
        joining(transaction).append(post("bob", 1));
        long appended = kit.now();
        kit.outlast();
        long mark = outbox.outbox().settledMark();
        transaction.commit().run();
        long created = outbox.claim().task().created();
        assertThat(mark).as("mark before the commit, append at %s", appended).isLessThanOrEqualTo(created);
    }

    @Test
    @DisplayName("a deletion whose transaction was open when the mark was read counts as later than the mark")
    void deletedAfterTheMark() {
        outbox.publish(post("bob", 1));
        outbox.settle();
        kit.outlast();
        OpenTransaction transaction = host.begin();
        joining(transaction).delete(post("bob", 1).key());
        kit.outlast();
        long mark = outbox.outbox().settledMark();
        transaction.commit().run();
        outbox.outbox()
                .deletedSince(List.of("bob"), mark, 10)
                .ifPresent(
                        keys -> assertThat(keys).containsExactly(post("bob", 1).key()));
    }

    @Test
    @DisplayName("a transaction of another backend, or one that has ended, is refused")
    void refused() {
        PublishTransaction foreign = new PublishTransaction() {};
        assertThatThrownBy(() -> host.outbox().joining(foreign)).isInstanceOf(IllegalArgumentException.class);
        OpenTransaction committed = host.begin();
        committed.commit().run();
        assertThatThrownBy(() -> host.outbox().joining(committed.handle()))
                .isInstanceOf(IllegalArgumentException.class);
        OpenTransaction rolledBack = host.begin();
        rolledBack.rollback().run();
        assertThatThrownBy(() -> host.outbox().joining(rolledBack.handle()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("joining does not end the transaction: it takes further appends until the host ends it")
    void doesNotEnd() {
        OpenTransaction transaction = host.begin();
        joining(transaction).append(post("bob", 1));
        joining(transaction).append(post("bob", 2));
        transaction.rollback().run();
        assertThat(outbox.posts("bob")).isEmpty();
    }
}
