package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Watch;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Claims: which worker gets a task, when, and in which order. */
public abstract class LogClaimRules extends LogRules {

    protected LogClaimRules(OutboxKit kit) {
        super(kit);
    }

    private Post claimedPost() {
        return outbox.claim().task().post();
    }

    @Test
    @DisplayName("there is nothing to claim in an empty log")
    void nothing() {
        assertThat(log.claim(5, LEASE)).isEmpty();
    }

    @Test
    @DisplayName("the requested number of tasks is leased, fewer only if no more are due")
    void max() {
        outbox.publish(posts("bob", 5));
        assertThat(log.claim(2, LEASE)).hasSize(2);
        assertThat(log.claim(10, LEASE)).hasSize(3);
        assertThat(log.claim(10, LEASE)).isEmpty();
    }

    @Test
    @DisplayName("watches can be opened and closed repeatedly, and do not disturb claims")
    void watches() {
        Runnable nothing = () -> {};
        Watch one = log.watch(nothing);
        Watch other = log.watch(nothing);
        publish(1);
        outbox.claim();
        one.close();
        one.close();
        publish(2);
        outbox.claim();
        other.close();
        publish(3);
        outbox.claim();
    }

    @Test
    @DisplayName("a task on lease is not leased again")
    void exclusive() {
        publish(1);
        outbox.claim();
        kit.tick();
        assertThat(log.claim(5, LEASE)).isEmpty();
    }

    @Test
    @DisplayName("a task whose lease has expired is leased again with another token, and an attempt is counted")
    void abandoned() {
        publish(1);
        Claim first = outbox.claim(shortLease());
        for (int attempts = 1; attempts <= 3; attempts++) {
            kit.outlast();
            Claim next = outbox.claim(shortLease());
            assertThat(next.lease()).isNotEqualTo(first.lease());
            assertThat(next.task()).isEqualTo(first.task().with(first.task().after(), attempts, Outage.NONE));
        }
    }

    @Test
    @DisplayName("a lease lasts for the requested time")
    void leaseLasts() {
        publish(1);
        outbox.claim(shortLease());
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isTrue();
        kit.passMostOfShortTime();
        assertThat(outbox.nothingDue()).isFalse();
    }

    @Test
    @DisplayName("a lease's token is never used again for the task")
    void tokensAreNew() {
        publish(1);
        Set<Long> tokens = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            Claim released = outbox.claim();
            assertThat(tokens.add(released.lease())).isTrue();
            release(released, "", 0);
            Claim failed = outbox.claim();
            assertThat(tokens.add(failed.lease())).isTrue();
            fail(failed, 0);
            assertThat(tokens.add(outbox.claim(shortLease()).lease())).isTrue();
            kit.outlast();
            Claim dead = outbox.claim();
            assertThat(tokens.add(dead.lease())).isTrue();
            moveToDeadLetters(dead);
            assertThat(log.replay(List.of(dead.task().id()))).isEqualTo(1);
            Claim finished = outbox.claim();
            assertThat(tokens.add(finished.lease())).isTrue();
            outbox.finish(finished);
            assertThat(log.restart(0, 0)).hasValue(1);
        }
    }

    @Test
    @DisplayName("the task that has waited longest comes first")
    void longestWaitingFirst() {
        for (int n = 1; n <= 4; n++) {
            publish(n);
            kit.tick();
        }
        assertThat(claimedPost()).isEqualTo(post("bob", 1));
        assertThat(log.claim(2, LEASE))
                .extracting(claim -> claim.task().post())
                .containsExactlyInAnyOrder(post("bob", 2), post("bob", 3));
        assertThat(claimedPost()).isEqualTo(post("bob", 4));
    }

    @Test
    @DisplayName("tasks released after each batch take turns")
    void takeTurns() {
        for (int n = 1; n <= 3; n++) {
            publish(n);
            kit.tick();
        }
        List<Post> turns = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Claim claim = outbox.claim();
            turns.add(claim.task().post());
            kit.tick();
            checkpoint(claim, "m", LEASE);
            if (i % 2 == 0) {
                release(claim, "m", 0);
            } else {
                fail(claim, 0);
            }
            kit.tick();
        }
        List<Post> round = List.of(post("bob", 1), post("bob", 2), post("bob", 3));
        assertThat(turns.subList(0, 3)).isEqualTo(round);
        assertThat(turns.subList(3, 6)).isEqualTo(round);
        assertThat(turns.subList(6, 9)).isEqualTo(round);
    }

    @Test
    @DisplayName("a released task waits behind one recorded before the release, and ahead of one recorded after it")
    void waitingCountsFromGivingBack() {
        publish(1);
        Claim first = outbox.claim();
        kit.tick();
        publish(2);
        kit.tick();
        release(first, "m", 0);
        kit.tick();
        publish(3);
        assertThat(claimedPost()).isEqualTo(post("bob", 2));
        assertThat(claimedPost()).isEqualTo(post("bob", 1));
        assertThat(claimedPost()).isEqualTo(post("bob", 3));
    }

    @Test
    @DisplayName("a delayed task waits from the end of its delay, behind one recorded before and ahead of one recorded"
            + " after")
    void waitingCountsFromBecomingDue() {
        publish(1);
        release(outbox.claim(), "m", shortLease());
        kit.tick();
        publish(2);
        kit.outlast();
        publish(3);
        assertThat(claimedPost()).isEqualTo(post("bob", 2));
        assertThat(claimedPost()).isEqualTo(post("bob", 1));
        assertThat(claimedPost()).isEqualTo(post("bob", 3));
    }

    @Test
    @DisplayName("tasks recorded at the same time are all leased, each once")
    void sameTime() {
        List<Post> posts = posts("bob", 30);
        outbox.publish(posts);
        Set<Post> claimed = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            assertThat(claimed.add(claimedPost())).isTrue();
        }
        assertThat(outbox.nothingDue()).isTrue();
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        publish(1);
        List<Claim> claims = log.claim(1, LEASE);
        assertThatThrownBy(claims::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
