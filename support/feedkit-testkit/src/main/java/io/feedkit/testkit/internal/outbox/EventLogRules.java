package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.PostEventLog.Claim;
import io.feedkit.spi.PostEventLog.Unsent;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.outbox.TransactionalKit.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How senders share the events: leases, turns, and when events are deleted. */
public abstract class EventLogRules extends EventRules {

    protected EventLogRules(TransactionalKit kit) {
        super(kit);
    }

    /** Publishes posts, each in a millisecond of its own. */
    private void publishApart(int count) {
        posts("bob", count).forEach(post -> {
            outbox.publish(post);
            kit.tick();
        });
    }

    private static List<Post> of(List<Claim> claims) {
        return claims.stream().map(claim -> claim.event().post()).toList();
    }

    @Test
    @DisplayName("events are leased from the oldest on, at most the requested number, and not while they are leased")
    void claims() {
        publishApart(5);
        assertThat(of(log.claim(2, LEASE))).containsExactly(post("bob", 1), post("bob", 2));
        assertThat(of(log.claim(2, LEASE))).containsExactly(post("bob", 3), post("bob", 4));
        assertThat(of(log.claim(2, LEASE))).containsExactly(post("bob", 5));
        assertThat(nothingWaits()).isTrue();
    }

    @Test
    @DisplayName("a confirmed event is deleted, once, however long its lease was")
    void finished() {
        publishApart(2);
        Claim first = claim(kit.shortTime().toMillis());
        assertThat(log.finish(List.of(first))).containsExactly(true);
        assertThat(log.finish(List.of(first))).containsExactly(false);
        assertThat(log.release(List.of(first))).containsExactly(false);
        kit.outlast();
        assertThat(claimEvents()).extracting(PostEvent::post).containsExactly(post("bob", 2));
    }

    @Test
    @DisplayName("a released event waits at once, behind those that have waited longer")
    void released() {
        publishApart(3);
        Claim first = claim(LEASE);
        kit.tick();
        assertThat(log.release(List.of(first))).containsExactly(true);
        assertThat(log.finish(List.of(first))).containsExactly(false);
        assertThat(log.release(List.of(first))).containsExactly(false);
        List<Claim> again = log.claim(MANY, LEASE);
        assertThat(of(again)).containsExactly(post("bob", 2), post("bob", 3), post("bob", 1));
        assertThat(again.get(2).event()).isEqualTo(first.event());
        assertThat(again.get(2).lease()).isNotEqualTo(first.lease());
    }

    @Test
    @DisplayName("an expired lease is lost, before and after another sender claims the event")
    void lapsed() {
        outbox.publish(post("bob", 1));
        Claim lost = claim(kit.shortTime().toMillis());
        kit.outlast();
        assertThat(log.finish(List.of(lost))).containsExactly(false);
        assertThat(log.release(List.of(lost))).containsExactly(false);
        Claim held = claim(LEASE);
        assertThat(held.event()).isEqualTo(lost.event());
        assertThat(log.finish(List.of(lost))).containsExactly(false);
        assertThat(log.release(List.of(lost))).containsExactly(false);
        assertThat(nothingWaits()).isTrue();
        assertThat(log.finish(List.of(held))).containsExactly(true);
    }

    @Test
    @DisplayName("answers are in the order of the claims, whatever the state of each event")
    void answersInOrder() {
        publishApart(3);
        List<Claim> claims = new ArrayList<>(log.claim(MANY, LEASE));
        Claim unknown = new Claim(
                new PostEvent(
                        "no such event",
                        PostEvent.Type.CREATED,
                        post("bob", 1),
                        claims.get(0).event().recordedAt()),
                claims.get(0).lease());
        claims.add(1, unknown);
        claims.add(claims.get(0));
        assertThat(log.finish(claims)).containsExactly(true, false, true, true, false);
        assertThat(log.finish(List.of())).isEmpty();
        assertThat(log.release(List.of())).isEmpty();
    }

    @Test
    @DisplayName("an event committed after later events were sent and deleted is found")
    void committedLate() {
        OpenTransaction transaction = kit.begin();
        new OutboxWriterDriver(((TransactionalOutbox) outbox.outbox()).joining(transaction.handle()))
                .publish(post("amy", 1));
        kit.tick();
        publishApart(3);
        settleEvents();
        transaction.commit().run();
        assertThat(claimEvents()).extracting(PostEvent::post).containsExactly(post("amy", 1));
    }

    @Test
    @DisplayName("waiting and leased events count as unsent, and the oldest shows how far the senders lag behind")
    void unsent() {
        assertThat(log.unsent()).isEqualTo(new Unsent(0, 0));
        publishApart(3);
        List<Claim> claims = log.claim(2, LEASE);
        assertThat(log.unsent())
                .isEqualTo(new Unsent(3, claims.get(0).event().recordedAt().toEpochMilli()));
        log.finish(claims.subList(0, 1));
        assertThat(log.unsent())
                .isEqualTo(new Unsent(2, claims.get(1).event().recordedAt().toEpochMilli()));
        kit.tick();
        log.release(claims.subList(1, 2));
        assertThat(log.unsent())
                .isEqualTo(new Unsent(2, claims.get(1).event().recordedAt().toEpochMilli()));
        settleEvents();
        assertThat(log.unsent()).isEqualTo(new Unsent(0, 0));
    }

    @Test
    @Tag("concurrency")
    @DisplayName("concurrent senders never share an event, and miss none")
    void shared() {
        outbox.publish(posts("bob", 200));
        List<List<Post>> claimed = Race.run(kit.threads(), thread -> {
            List<Post> own = new ArrayList<>();
            List<Claim> claims = log.claim(7, LEASE);
            while (!claims.isEmpty()) {
                own.addAll(of(claims));
                assertThat(log.finish(claims)).doesNotContain(false);
                claims = log.claim(7, LEASE);
            }
            return own;
        });
        List<Post> all = claimed.stream().flatMap(List::stream).toList();
        assertThat(all).doesNotHaveDuplicates();
        // If a store skips rows that others have locked, all threads may end while the last rows are locked.
        List<Post> left = claimEvents().stream().map(PostEvent::post).toList();
        List<Post> both = new ArrayList<>(all);
        both.addAll(left);
        assertThat(both).containsExactlyInAnyOrderElementsOf(posts("bob", 200));
    }
}
