package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Inboxes that do not agree with the outboxes. The engine repairs them, and shows nothing twice. */
public abstract class HealingBehaviours extends FeedRules {

    private static final Post LOST = Post.of(BOB, "lost", Samples.EPOCH + 9);

    /** Longer than any settled mark lags behind the clock. */
    private static final Duration MARK_STAYS_BEHIND = Duration.ofSeconds(2);

    protected HealingBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private Inbox inbox() {
        return store.inbox(
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
    }

    private void insert(String reader, Post post) {
        assertThat(inbox().deliver(List.of(new Delivery(post, List.of(reader), 0))))
                .containsExactly(List.of(Outcome.ADDED));
    }

    private void remove(String reader, Post post) {
        inbox().retract(List.of(new Retraction(post, List.of(reader))));
    }

    private FeedEngine prepared(Policy policy) {
        return prepared(engine(policy));
    }

    private FeedEngine prepared(FeedEngine engine) {
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        publish(engine, posts(BOB, 5));
        publish(engine, posts(CAT, 5));
        assertThat(feed(engine, ANN)).isEqualTo(expected());
        return engine;
    }

    private static List<Post> expected() {
        return newestFirst(IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(n -> List.of(post(BOB, n), post(CAT, n)).stream())
                .toList());
    }

    @Test
    @DisplayName("an author whose posts were pushed before a page showed them early leaves the pulled register when "
            + "older tasks are done, and no post vanishes")
    void earlyAuthorsLeave() {
        FaultyFeedStore faulty = FaultyFeedStore.around(store);
        FeedEngine engine = open(FeedEngine.builder(faulty)
                .clock(clock())
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .policy(Policy.PUSH.fanout()));
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        engine.publish(post(CAT, 1));
        FanoutLog log = store.outbox().fanout();
        Claim slow = log.claim(1, kit.longTime().toMillis()).get(0);
        publish(engine, posts(BOB, 3));
        List<Post> all = newestFirst(List.of(post(CAT, 1), post(BOB, 1), post(BOB, 2), post(BOB, 3)));
        assertThat(faulty.without("inbox.", () -> feed(engine, ANN))).isEqualTo(all);
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).isEqualTo(all);
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled())
                .as("authors that a page entered, while an older task is not done")
                .containsOnlyKeys(BOB, CAT);
        log.release(List.of(new Release(slow, "", 0)));
        engine.fanout().drain();
        kit.pass(MARK_STAYS_BEHIND);
        engine.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled())
                .as("authors that are still pulled when all pushes are done")
                .isEmpty();
        assertThat(feed(engine, ANN)).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(names = {"PUSH", "HYBRID"})
    @DisplayName(
            "a first page repairs missing, surplus and misplaced inbox entries once per reconcile interval, also of"
                    + " authors who publish no more")
    void reconciled(Policy policy) {
        FeedEngine engine = prepared(policy);
        kit.pass(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        assertThat(feed(engine, ANN)).isEqualTo(expected());
        remove(ANN, post(BOB, 2));
        insert(ANN, LOST);
        remove(ANN, post(CAT, 4));
        insert(ANN, Post.of(CAT, post(CAT, 4).id(), Samples.EPOCH));
        kit.pass(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        assertThat(feed(engine, ANN)).isEqualTo(expected());
        assertThat(slice(ANN).posts()).isEqualTo(expected());
        assertThat(engine.unread(ANN).count()).isEqualTo(10);
        assertThat(walk(engine, ANN, 3)).isEqualTo(expected());
    }

    @Test
    @DisplayName("a page from the top that ends at a cursor repairs the inbox, like a first page")
    void reconciledByAPart() {
        FeedEngine engine = prepared(Policy.PUSH);
        kit.pass(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        feed(engine, ANN);
        remove(ANN, post(BOB, 2));
        kit.pass(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        engine.read(ANN, PageRequest.first(1).until(Cursor.of(post(CAT, 5))));
        assertThat(slice(ANN).posts()).isEqualTo(expected());
    }

    @Test
    @DisplayName("a refresh repairs missing, surplus and misplaced inbox entries")
    void refreshed() {
        FeedEngine engine = prepared(Policy.PUSH);
        remove(ANN, post(BOB, 2));
        insert(ANN, LOST);
        insert(ANN, Post.of(CAT, post(CAT, 4).id(), Samples.EPOCH));
        assertThat(engine.refresh(ANN)).isEqualTo(1);
        assertThat(slice(ANN).posts()).isEqualTo(expected());
        assertThat(engine.unread(ANN).count()).isEqualTo(10);
    }

    @Test
    @DisplayName("no page shows a post twice, even if the inbox has entries of it at two places")
    void onceOnAPage() {
        FeedEngine engine = prepared(Policy.PUSH);
        insert(ANN, Post.of(CAT, post(CAT, 4).id(), Samples.EPOCH));
        assertThat(feed(engine, ANN))
                .extracting(Post::key)
                .doesNotHaveDuplicates()
                .hasSize(10);
        assertThat(engine.read(ANN, PageRequest.first(10)).items()).hasSize(10);
    }

    @ParameterizedTest
    @EnumSource(names = {"PUSH", "PULL"})
    @DisplayName(
            "a delete removes a post that only inboxes hold from every feed, at once on every engine, and for good")
    void deleteLost(Policy policy) {
        FeedEngine engine = prepared(
                open(FeedEngine.builder(store).clock(clock()).workers(0).policy(policy.fanout())));
        FeedEngine other = engine(policy);
        insert(ANN, LOST);
        assertThat(feed(other, ANN)).contains(LOST);
        assertThat(engine.delete(BOB, LOST.id())).isFalse();
        assertThat(feed(engine, ANN)).isEqualTo(expected());
        assertThat(feed(other, ANN)).isEqualTo(expected());
        assertThat(hydrated(other, ANN)).isEqualTo(expected());
        engine.fanout().drain();
        kit.pass(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2));
        engine.fanout().drain();
        assertThat(slice(ANN).posts()).doesNotContain(LOST);
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).isEmpty();
        assertThat(feed(other, ANN)).isEqualTo(expected());
        assertThat(engine.unread(ANN).count()).isEqualTo(10);
    }

    @Test
    @DisplayName("after distrustInboxes, every engine repairs each inbox at its reader's next first page")
    void distrusted() {
        FeedEngine engine = prepared(Policy.PUSH);
        FeedEngine other = engine(Policy.PUSH);
        follow(engine, DAN, CAT);
        visit(engine, DAN);
        insert(ANN, LOST);
        remove(ANN, post(BOB, 2));
        remove(DAN, post(CAT, 5));
        assertThat(feed(other, ANN)).contains(LOST);
        kit.pass(Duration.ofMinutes(5));
        engine.fanout().distrustInboxes();
        kit.pass(Duration.ofSeconds(2));
        assertThat(feed(other, ANN)).isEqualTo(expected());
        assertThat(other.unread(ANN).count()).isEqualTo(10);
        assertThat(feed(engine, DAN)).isEqualTo(newestFirst(posts(CAT, 5)));
    }
}
