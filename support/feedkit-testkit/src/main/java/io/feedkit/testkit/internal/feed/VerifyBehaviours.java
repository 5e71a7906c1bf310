package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyProgress;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Damage that a store can hold: {@code verify} finds it, repairs it, and finds it no more. */
public abstract class VerifyBehaviours extends FeedRules {

    /** Longer than any settled mark lags behind the clock. */
    private static final Duration MARK_STAYS_BEHIND = Duration.ofSeconds(2);

    private static final VerifyRequest ALL_AT_ONCE =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ZERO);

    private static final Stage[] WITHOUT_ARCHIVE =
            EnumSet.complementOf(EnumSet.of(Stage.ARCHIVE)).toArray(Stage[]::new);

    private FeedEngine engine;

    protected VerifyBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    @BeforeEach
    void prepare() {
        engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB, CAT);
        follow(engine, DAN, BOB);
        visit(engine, ANN);
        visit(engine, DAN);
        publish(engine, posts(BOB, 5));
        publish(engine, posts(CAT, 5));
        kit.pass(MARK_STAYS_BEHIND);
    }

    private Inbox inbox() {
        return store.inbox(
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
    }

    private void insert(Post post) {
        inbox().deliver(List.of(new Delivery(post, List.of(ANN), 0)));
    }

    private void remove(Post post, String... readers) {
        inbox().retract(List.of(new Retraction(post, List.of(readers))));
    }

    /** Expects one finding, repairs it, and expects none. Returns the finding. */
    private Finding foundAndRepaired(FindingKind kind, Repair repair) {
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(kind).containsEntry(kind, 1L);
        assertThat(found.isClean()).isFalse();
        assertThat(found.repaired()).isZero();
        Finding finding = found.findings().get(0);
        assertThat(finding.repair()).isEqualTo(Repair.NONE);
        assertThat(finding.sentence()).endsWith(".");
        VerifyReport repaired = engine.verify(ALL_AT_ONCE.repair(true));
        assertThat(repaired.findings()).containsExactly(finding.with(repair));
        assertThat(repaired.repaired()).isEqualTo(1);
        engine.fanout().drain();
        assertClean();
        return finding;
    }

    private void assertClean() {
        VerifyReport report = engine.verify(ALL_AT_ONCE);
        assertThat(report.findings()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.undecided() + report.failed()).isZero();
    }

    private static List<Post> expected() {
        List<Post> all = new ArrayList<>(posts(BOB, 5));
        all.addAll(posts(CAT, 5));
        return newestFirst(all);
    }

    @Test
    @DisplayName("a healthy store has no findings, and everything is compared")
    void healthy() {
        publish(engine(Policy.PULL), post(CAT, 6));
        assertClean();
        VerifyReport report = engine.verify(ALL_AT_ONCE);
        assertThat(report.checked()).containsOnlyKeys(WITHOUT_ARCHIVE);
        assertThat(report.checked().get(Stage.REGISTER)).isGreaterThanOrEqualTo(2);
        assertThat(report.checked().get(Stage.GRAPH)).isGreaterThanOrEqualTo(4);
        assertThat(report.checked().get(Stage.INBOXES)).isGreaterThanOrEqualTo(2);
        assertThat(report.unlisted()).isEmpty();
    }

    @Test
    @DisplayName("a listing that fails ends its stage only, and what was found before counts")
    void listingFails() {
        remove(post(BOB, 2), ANN);
        store.after("inbox.forEachReader", () -> {
            throw new StoreUnavailableException("inbox.forEachReader", null);
        });
        store.before("outbox.forEachAuthor", () -> {
            throw new StoreUnavailableException("outbox.forEachAuthor", null);
        });
        VerifyReport report = engine.verify(ALL_AT_ONCE.repair(true));
        assertThat(report.checked()).containsOnlyKeys(WITHOUT_ARCHIVE);
        assertThat(report.incomplete()).containsExactly(Stage.REGISTER, Stage.INBOXES);
        assertThat(report.counts()).containsOnlyKeys(FindingKind.POST_MISSING);
        store.before("seenMarks.forEachReader", () -> {
            throw new StoreUnavailableException("seenMarks.forEachReader", null);
        });
        VerifyReport marks = engine.verify(ALL_AT_ONCE);
        assertThat(marks.incomplete()).containsExactly(Stage.SEEN_MARKS);
        assertThat(marks.counts()).isEmpty();
        assertThat(marks.isClean()).isFalse();
        assertClean();
    }

    @Test
    @DisplayName("a post is missing in an inbox, whose author never posts again")
    void missing() {
        remove(post(BOB, 2), ANN);
        Finding finding = foundAndRepaired(FindingKind.POST_MISSING, Repair.DONE);
        assertThat(finding.reader()).hasValue(ANN);
        assertThat(finding.author()).hasValue(BOB);
        assertThat(finding.post()).hasValue(post(BOB, 2).id());
        assertThat(slice(ANN).posts()).isEqualTo(expected());
    }

    @Test
    @DisplayName("an inbox has a post of an author who is not followed")
    void notFollowed() {
        engine.publish(post(ZOE, 9));
        engine.fanout().drain();
        kit.pass(MARK_STAYS_BEHIND);
        insert(post(ZOE, 9));
        Finding finding = foundAndRepaired(FindingKind.POST_NOT_FOLLOWED, Repair.DONE);
        assertThat(finding.author()).hasValue(ZOE);
        assertThat(slice(ANN).posts()).isEqualTo(expected());
    }

    @Test
    @DisplayName("an inbox has a deleted post, after its retraction has ended")
    void deleted() {
        engine.delete(BOB, post(BOB, 3).id());
        engine.fanout().drain();
        kit.pass(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2));
        engine.fanout().drain();
        assertClean();
        insert(post(BOB, 3));
        Finding finding = foundAndRepaired(FindingKind.POST_DELETED, Repair.DONE);
        assertThat(finding.post()).hasValue(post(BOB, 3).id());
        assertThat(slice(ANN).posts()).doesNotContain(post(BOB, 3));
    }

    @Test
    @DisplayName("a post that is being retracted is no finding")
    void beingDeleted() {
        engine.delete(BOB, post(BOB, 3).id());
        assertThat(slice(ANN).posts()).contains(post(BOB, 3));
        assertClean();
    }

    @Test
    @DisplayName("an inbox has a post at a wrong time")
    void misplaced() {
        remove(post(CAT, 4), ANN);
        insert(Post.of(CAT, post(CAT, 4).id(), Samples.EPOCH));
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(FindingKind.POST_MISPLACED, FindingKind.POST_MISSING);
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).repaired()).isEqualTo(2);
        assertClean();
        assertThat(slice(ANN).posts()).isEqualTo(expected());
    }

    @Test
    @DisplayName("an inbox has a post twice, at its time and at another")
    void twice() {
        insert(Post.of(CAT, post(CAT, 4).id(), Samples.EPOCH));
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsKey(FindingKind.POST_TWICE);
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .allMatch(finding -> finding.repair() == Repair.DONE);
        assertClean();
        assertThat(slice(ANN).posts()).isEqualTo(expected());
    }

    @Test
    @DisplayName("an author has left the pulled register too early")
    void notRegistered() {
        publish(engine(Policy.PULL), post(BOB, 6));
        PulledRegister register = store.outbox().pulled();
        RegisterSnapshot.of(register).pulled().forEach((author, entry) -> register.remove(author, entry.version()));
        kit.pass(MARK_STAYS_BEHIND);
        assertThat(engine.verify(ALL_AT_ONCE).counts())
                .containsEntry(FindingKind.AUTHOR_NOT_REGISTERED, 1L)
                .containsEntry(FindingKind.POST_MISSING, 2L);
        VerifyReport repaired = engine.verify(ALL_AT_ONCE.repair(true));
        assertThat(repaired.counts()).containsOnlyKeys(FindingKind.AUTHOR_NOT_REGISTERED);
        assertThat(RegisterSnapshot.of(register).pulled()).containsOnlyKeys(BOB);
        assertClean();
        assertThat(feed(engine, ANN)).contains(post(BOB, 6));
    }

    @Test
    @DisplayName("an author is in the pulled register without a post")
    void registeredInVain() {
        store.outbox().pulled().put(List.of(post("ghost", 1)));
        Finding finding = foundAndRepaired(FindingKind.AUTHOR_REGISTERED_IN_VAIN, Repair.DONE);
        assertThat(finding.author()).hasValue("ghost");
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
    }

    @Test
    @DisplayName("a dead letter is about a post that was deleted since")
    void deadTask() {
        store.outbox().append(List.of(new Publication(post(BOB, 7), FanoutMode.PUSH)));
        Claim claim = store.outbox().fanout().claim(1, Samples.EPOCH).get(0);
        store.outbox().fanout().moveToDeadLetters(claim, 1, "broken");
        engine.delete(BOB, post(BOB, 7).id());
        engine.fanout().drain();
        kit.pass(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2));
        engine.fanout().drain();
        Finding finding = foundAndRepaired(FindingKind.TASK_WITHOUT_POST, Repair.DONE);
        assertThat(finding.task()).hasValue(claim.task().id());
        assertThat(store.outbox().fanout().dead("", 1)).isEmpty();
    }

    @Test
    @DisplayName("a follow has begun and nobody finishes it, with an inbox or without")
    void unfinishedFollow() {
        inbox().beginFollow(ANN, List.of(ZOE));
        Finding finding = foundAndRepaired(FindingKind.FOLLOW_UNFINISHED, Repair.DONE);
        assertThat(finding.author()).hasValue(ZOE);
        assertThat(slice(ANN).pending()).isEmpty();
        inbox().beginFollow(YAN, List.of(BOB));
        assertThat(foundAndRepaired(FindingKind.FOLLOW_UNFINISHED, Repair.DONE).reader())
                .hasValue(YAN);
    }

    @Test
    @DisplayName("an inbox was last compared in the future")
    void inboxMarkAhead() {
        Slice slice = slice(ANN);
        inbox().complete(
                        ANN,
                        slice.generation(),
                        kit.now() + Duration.ofDays(400).toMillis(),
                        slice.followees());
        foundAndRepaired(FindingKind.INBOX_MARK_AHEAD, Repair.DONE);
        assertThat(slice(ANN).mark()).isLessThanOrEqualTo(kit.now());
    }

    @Test
    @DisplayName("a reader has seen posts of the future")
    void seenMarkAhead() {
        long ahead = kit.now() + Duration.ofDays(400).toMillis();
        store.seenMarks().markSeen(List.of(new Seen(ANN, SeenPosts.upTo(new Position(ahead, "", "")))));
        assertThat(foundAndRepaired(FindingKind.SEEN_MARK_AHEAD, Repair.DONE).reader())
                .hasValue(ANN);
        assertThat(engine.seenMark(ANN).map(Object::toString)).isPresent();
    }

    @Test
    @DisplayName("posts that are still being delivered are no findings")
    void underWay() {
        engine.publish(post(BOB, 8));
        kit.pass(MARK_STAYS_BEHIND);
        VerifyReport report = engine.verify(ALL_AT_ONCE);
        assertThat(report.findings()).isEmpty();
        assertThat(report.undecided()).as("two readers and the author").isEqualTo(3);
        engine.fanout().drain();
        assertClean();
    }

    @Test
    @DisplayName("a difference that ends before the second look is no finding")
    void shortLived() {
        remove(post(BOB, 2), ANN);
        List<Stage> stages = new ArrayList<>();
        store.after("outbox.lastAppended", () -> insert(post(BOB, 2)));
        VerifyReport report = engine.verify(ALL_AT_ONCE.onProgress(progress -> stages.add(progress.stage())));
        assertThat(report.findings()).isEmpty();
        assertThat(stages).containsSubsequence(WITHOUT_ARCHIVE);
    }

    @Test
    @DisplayName("a run that is cancelled repairs nothing more, and says so")
    void cancelled() {
        remove(post(BOB, 2), ANN);
        VerifyReport report =
                engine.verify(ALL_AT_ONCE.repair(true).onProgress(progress -> progress.stage() != Stage.INBOXES));
        assertThat(report.isStopped()).isTrue();
        assertThat(report.isClean()).isFalse();
        assertThat(report.findings()).isEmpty();
        assertThat(slice(ANN).posts()).doesNotContain(post(BOB, 2));
    }

    @Test
    @DisplayName("all findings are counted, and only some are kept")
    void kept() {
        posts(BOB, 5).forEach(post -> remove(post, ANN));
        List<VerifyProgress> progress = new ArrayList<>();
        VerifyReport report = engine.verify(
                ALL_AT_ONCE.keptFindings(2).onProgress(each -> progress.add(each) || !progress.isEmpty()));
        assertThat(report.counts()).containsEntry(FindingKind.POST_MISSING, 5L);
        assertThat(report.findings()).hasSize(2);
        assertThat(progress.get(progress.size() - 1).findings()).isEqualTo(5);
    }

    @Test
    @DisplayName("a sample compares some users, and other users in the next run")
    void sample() {
        long compared = 0;
        for (int run = 0; run < 40; run++) {
            VerifyReport report =
                    engine.verify(VerifyRequest.sample(0.5).perSecond(1_000_000).recheckAfter(Duration.ZERO));
            compared += report.checked().getOrDefault(Stage.INBOXES, 0L);
        }
        assertThat(compared).as("inboxes compared in 40 runs of about one each").isBetween(1L, 79L);
    }
}
