package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.health.Health.Part;
import io.feedkit.inspect.DeliveryTask;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.inspect.Explanation.Verdict;
import io.feedkit.inspect.InboxState;
import io.feedkit.inspect.ReaderState;
import io.feedkit.presence.Connection;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox.Publication;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Why a post is, or is not, in a feed: each reason, and that a read agrees with it. */
public abstract class ExplainBehaviours extends FeedRules {

    private static final Post POST = post(BOB, 1);
    private static final int CAP = 10;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final long LEASE = 30_000;

    protected ExplainBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private FeedEngineBuilder builder() {
        return builder(Policy.PUSH).cap(CAP);
    }

    /** An engine on which ann follows bob, and has an inbox. */
    private FeedEngine prepared(FeedEngineBuilder builder) {
        FeedEngine engine = open(builder);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        return engine;
    }

    private FeedEngine prepared() {
        return prepared(builder());
    }

    private Inbox inbox() {
        return store.inbox(new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
    }

    /** Explains, and then reads the feed to its end: both must agree. */
    private Explanation explain(FeedEngine engine, String reader, Post post, Reason expected) {
        Explanation explanation = engine.explain(reader, post.key());
        assertThat(explanation.reason()).as("%s", explanation).isEqualTo(expected);
        assertThat(explanation.reader()).isEqualTo(reader);
        assertThat(explanation.post()).isEqualTo(post.key());
        assertThat(explanation.sentence()).endsWith(".").doesNotContain("\n");
        boolean shown = walk(engine, reader, 3).stream().map(Post::key).anyMatch(post.key()::equals);
        assertThat(explanation.verdict())
                .as("%s, but the feed is %s", explanation, shown ? "with it" : "without it")
                .isEqualTo(shown ? Verdict.SHOWN : Verdict.HIDDEN);
        return explanation;
    }

    private Explanation explain(FeedEngine engine, Reason expected) {
        return explain(engine, ANN, POST, expected);
    }

    private static DeliveryTask onlyTask(Explanation explanation) {
        assertThat(explanation.tasks()).as("%s", explanation).hasSize(1);
        return explanation.tasks().get(0);
    }

    private Claim claim() {
        List<Claim> claims = store.outbox().fanout().claim(1, LEASE);
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    // Whether there is the post

    @Test
    @DisplayName("a post that was never published is not found, for followers and for others")
    void notFound() {
        Explanation explanation = explain(prepared(), Reason.NOT_FOUND);
        assertThat(explanation.publishedAt()).isEmpty();
        explain(engine(Policy.PUSH), ZOE, POST, Reason.NOT_FOUND);
    }

    @Test
    @DisplayName("a deleted post is explained as deleted, while its retraction waits and afterwards")
    void deleted() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        engine.delete(BOB, POST.id());
        Explanation waiting = explain(engine, Reason.DELETED);
        assertThat(onlyTask(waiting).kind()).isIn(TaskKind.RETRACT, TaskKind.RETRACT_LATER);
        for (int i = 0; i < 3 && !kit.waits(); i++) {
            kit.pass(Duration.ofMinutes(1));
            engine.fanout().drain();
        }
        explain(engine, Reason.DELETED);
    }

    @Test
    @DisplayName("a post deleted before it was published is explained as deleted")
    void deletedUnseen() {
        FeedEngine engine = prepared();
        engine.delete(BOB, POST.id());
        explain(engine, Reason.DELETED);
    }

    // Whom the reader follows

    @Test
    @DisplayName("a post of an author who is not followed, or no longer, says so")
    void notFollowed() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        explain(engine, ZOE, POST, Reason.NOT_FOLLOWED);
        engine.unfollow(ANN, BOB);
        explain(engine, Reason.NOT_FOLLOWED);
    }

    @Test
    @DisplayName("an own post is shown if the setting ownPosts is on, and otherwise explained by the setting")
    void ownPosts() {
        FeedEngine off = prepared();
        Post own = post(ANN, 1);
        publish(off, own);
        explain(off, ANN, own, Reason.OWN_POSTS_OFF);
        FeedEngine on = open(builder(Policy.PUSH).ownPosts(true));
        on.rebuild(ANN);
        Explanation explanation = explain(on, ANN, own, Reason.OWN_POST);
        assertThat(explanation.publishedAt()).contains(own.publishedAt());
    }

    @Test
    @DisplayName("an author beyond maxFollowees is explained by the setting")
    void beyondMaxFollowees() {
        FeedEngine engine = open(builder().maxFollowees(1));
        follow(engine, ANN, BOB, ZOE);
        visit(engine, ANN);
        publish(engine, POST, post(ZOE, 1));
        explain(engine, ANN, post(ZOE, 1), Reason.BEYOND_MAX_FOLLOWEES);
        explain(engine, Reason.IN_INBOX);
    }

    @Test
    @DisplayName("an edge that nobody reported is explained as such, until the engine reads the graph again")
    void unreported() {
        FeedEngine engine = open(hostGraphBuilder(Policy.PUSH));
        connect(List.of(ANN), CAT);
        visit(engine, ANN);
        engine.publish(POST);
        connect(List.of(ANN), BOB);
        Explanation explanation = explain(engine, Reason.FOLLOW_NOT_REPORTED);
        assertThat(explanation.inbox().graphChanged()).isTrue();
        assertThat(engine.inspect(ANN).inbox().graphChanged()).isTrue();
        engine.hostGraph().followed(ANN, BOB);
        explain(engine, Reason.IN_INBOX);
        disconnect(ANN, BOB);
        explain(engine, Reason.UNFOLLOW_NOT_REPORTED);
        engine.hostGraph().unfollowed(ANN, BOB);
        explain(engine, Reason.NOT_FOLLOWED);
    }

    @Test
    @DisplayName("an engine that reads the graph again repairs the inbox with its next first page")
    void repaired() {
        FeedEngine engine = open(hostGraphBuilder(Policy.PUSH));
        connect(List.of(ANN), CAT);
        visit(engine, ANN);
        engine.publish(POST);
        connect(List.of(ANN), BOB);
        FeedEngine another = open(hostGraphBuilder(Policy.PUSH));
        explain(another, Reason.REPAIRED_BY_NEXT_READ);
        explain(another, Reason.IN_INBOX);
    }

    @Test
    @DisplayName("the host's filter is named last of what hides a post from everybody")
    void filtered() {
        FeedEngine engine = prepared(builder().filter((reader, posts) -> List.of()));
        publish(engine, POST);
        explain(engine, Reason.FILTERED);
        engine.publish(post(BOB, 2));
        explain(engine, ANN, post(BOB, 2), Reason.FILTERED);
        engine.unfollow(ANN, BOB);
        explain(engine, Reason.NOT_FOLLOWED);
        engine.delete(BOB, POST.id());
        explain(engine, Reason.DELETED);
    }

    // Where a page finds the post

    @Test
    @DisplayName("a delivered post is in the inbox")
    void inInbox() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        Explanation explanation = explain(engine, Reason.IN_INBOX);
        assertThat(explanation.publishedAt()).contains(POST.publishedAt());
        assertThat(explanation.tasks()).isEmpty();
        assertThat(explanation.pulled()).isEmpty();
        assertThat(explanation.inbox().status()).isEqualTo(InboxState.Status.LIVE);
        assertThat(explanation.inbox().entries()).isEqualTo(1);
        assertThat(explanation.unreachable()).isEmpty();
    }

    @Test
    @DisplayName("a pulled post is explained by the register, with the span of pulled posts, from its publish on")
    void pulled() {
        FeedEngine engine = prepared(builder(Policy.PULL));
        engine.publish(POST);
        Explanation explanation = explain(engine, Reason.PULLED);
        assertThat(explanation.pulled()).isPresent();
        assertThat(explanation.pulled().orElseThrow().author()).isEqualTo(BOB);
        assertThat(explanation.pulled().orElseThrow().oldest()).isBeforeOrEqualTo(POST.publishedAt());
        assertThat(explanation.pulled().orElseThrow().newest()).isAfterOrEqualTo(POST.publishedAt());
        engine.fanout().drain();
        assertThat(explain(engine, Reason.PULLED).tasks()).isEmpty();
    }

    @Test
    @DisplayName("without an inbox, pages are read from the outboxes, and an explanation does not build one")
    void noInbox() {
        FeedEngine engine = open(builder());
        follow(engine, ANN, BOB);
        engine.publish(POST);
        for (int i = 0; i < 2; i++) {
            Explanation explanation = engine.explain(ANN, POST.key());
            assertThat(explanation.reason()).as("%s", explanation).isEqualTo(Reason.NO_INBOX);
            assertThat(explanation.inbox().status()).isEqualTo(InboxState.Status.ABSENT);
            assertThat(engine.inspect(ANN).inbox().status()).isEqualTo(InboxState.Status.ABSENT);
        }
        explain(engine, Reason.NO_INBOX);
    }

    @Test
    @DisplayName("an inbox that is being built promises nothing: pages are read from the outboxes")
    void building() {
        FeedEngine engine = open(builder());
        follow(engine, ANN, BOB);
        engine.publish(POST);
        inbox().open(ANN, LEASE, false);
        assertThat(engine.inspect(ANN).inbox().status()).isEqualTo(InboxState.Status.BUILDING);
        Explanation explanation = explain(engine, Reason.NO_INBOX);
        assertThat(explanation.sentence()).contains("being built");
    }

    @Test
    @DisplayName("inspecting and explaining do not keep an inbox live, and find it expired in the end")
    void expired() {
        if (kit.waits()) {
            return;
        }
        FeedEngine engine = prepared(builder(Policy.PUSH).liveWindow(WINDOW));
        publish(engine, POST);
        for (int i = 0; i < 2; i++) {
            kit.pass(WINDOW.dividedBy(2).plusMillis(1));
            boolean live = i == 0;
            Explanation explanation = engine.explain(ANN, POST.key());
            ReaderState state = engine.inspect(ANN);
            assertThat(explanation.reason()).isEqualTo(live ? Reason.IN_INBOX : Reason.NO_INBOX);
            if (live) {
                assertThat(state.inbox().status()).isEqualTo(InboxState.Status.LIVE);
            } else {
                assertThat(state.inbox().status()).isIn(InboxState.Status.EXPIRED, InboxState.Status.ABSENT);
                assertThat(state.inbox().entries()).isZero();
            }
        }
        explain(engine, Reason.NO_INBOX);
    }

    @Test
    @DisplayName("a post below the floor is read from the outbox")
    void belowFloor() {
        FeedEngine engine = prepared();
        publish(engine, posts(BOB, 2 * CAP));
        Explanation explanation = explain(engine, Reason.BELOW_FLOOR);
        assertThat(explanation.inbox().floor())
                .hasValueSatisfying(floor -> assertThat(floor).isAfter(POST.publishedAt()));
        assertThat(explanation.inbox().entries()).isEqualTo(CAP);
    }

    @Test
    @DisplayName("while a follow is pending, pages read the author's outbox; a pending unfollow hides the author")
    void pendingFollow() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        inbox().beginFollow(ANN, List.of(BOB));
        explain(engine, Reason.PENDING_FOLLOW);
        assertThat(engine.inspect(ANN).pendingFollows()).containsExactly(BOB);
        inbox().beginFollow(ANN, List.of(ZOE));
        engine.publish(post(ZOE, 1));
        Explanation explanation = explain(engine, ANN, post(ZOE, 1), Reason.NOT_FOLLOWED);
        assertThat(explanation.sentence()).contains("has not ended");
    }

    @Test
    @DisplayName("while a follow is pending, entries of its author do not count")
    void pendingEntries() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        Post lost = post(BOB, 2);
        inbox().deliver(List.of(new Delivery(lost, List.of(ANN), 0)));
        inbox().beginFollow(ANN, List.of(BOB));
        explain(engine, Reason.PENDING_FOLLOW);
        explain(engine, ANN, lost, Reason.NOT_FOUND);
    }

    @Test
    @DisplayName("pages with a pending follow have posts that were pushed after the engine cached its author")
    void cachedPosts() {
        FeedEngine engine = prepared();
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish(POST);
        explain(engine, Reason.PULLED);
        engine.usePolicy(FanoutPolicy.push());
        Post pushed = post(BOB, 2);
        engine.publish(pushed);
        inbox().beginFollow(ANN, List.of(BOB));
        assertThat(feed(engine, ANN)).isEqualTo(List.of(pushed, POST));
        explain(engine, ANN, pushed, Reason.PENDING_FOLLOW);
    }

    @Test
    @DisplayName("an entry without a post in the outbox is named: plain pages show it until a refresh")
    void onlyInInbox() {
        FeedEngine engine = prepared();
        inbox().deliver(List.of(new Delivery(POST, List.of(ANN), 0)));
        explain(engine, Reason.ONLY_IN_INBOX);
        engine.refresh(ANN);
        explain(engine, Reason.NOT_FOUND);
    }

    // Why no page finds the post yet

    @Test
    @DisplayName("a post whose push waits is explained by its task: waiting, claimed, retrying")
    void pushWaiting() {
        FeedEngine engine = prepared();
        Instant before = Instant.ofEpochMilli(kit.now());
        engine.publish(POST);
        DeliveryTask waiting = onlyTask(explain(engine, Reason.PUSH_WAITING));
        assertThat(waiting.kind()).isEqualTo(TaskKind.PUSH);
        assertThat(waiting.state()).isEqualTo(DeliveryTask.State.WAITING);
        assertThat(waiting.created()).isBetween(before, Instant.ofEpochMilli(kit.now()));
        assertThat(waiting.attempts()).isZero();
        Claim claim = claim();
        DeliveryTask claimed = onlyTask(explain(engine, Reason.PUSH_WAITING));
        assertThat(claimed.state()).isEqualTo(DeliveryTask.State.CLAIMED);
        assertThat(claimed.until()).isAfter(before.plusMillis(LEASE - 1));
        assertThat(claimed.id()).isEqualTo(claim.task().id());
        store.outbox().fanout().fail(List.of(new Failure(claim, "failed", LEASE)));
        Explanation explanation = explain(engine, Reason.PUSH_WAITING);
        DeliveryTask retrying = onlyTask(explanation);
        assertThat(retrying.state()).isEqualTo(DeliveryTask.State.RETRYING);
        assertThat(retrying.attempts()).isEqualTo(1);
        assertThat(explanation.sentence()).contains(claim.task().id()).contains("1 failure");
    }

    @Test
    @DisplayName("a push that has passed the reader explains nothing: the inbox lacks the post")
    void passed() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        FanoutLog log = store.outbox().fanout();
        log.checkpoint(List.of(new FanoutLog.Progress(claim(), ANN)), LEASE);
        assertThat(onlyTask(explain(engine, Reason.MISSING_FROM_INBOX)).handled())
                .contains(ANN);
    }

    @Test
    @DisplayName("a push that is split waits only for the part with the reader")
    void split() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        FanoutLog log = store.outbox().fanout();
        log.split(claim(), List.of(new KeyRange("", BOB), new KeyRange(BOB, "\u007f")));
        assertThat(explain(engine, Reason.PUSH_WAITING).tasks()).hasSize(2);
        Claim first = claim();
        Claim second = claim();
        Claim own = first.task().range().contains(ANN) ? first : second;
        log.finish(List.of(own), 0);
        assertThat(explain(engine, Reason.MISSING_FROM_INBOX).tasks()).hasSize(1);
    }

    @Test
    @DisplayName("a lent task is in the fan-out queue")
    void queued() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        if (store.outbox().fanout().canLend()) {
            store.outbox().fanout().lend(1, LEASE, 1);
            assertThat(onlyTask(explain(engine, Reason.PUSH_WAITING)).state()).isEqualTo(DeliveryTask.State.QUEUED);
        }
    }

    @Test
    @DisplayName("a dead letter is named with its last failure, if the author was not registered")
    void deadLetter() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        store.outbox().fanout().moveToDeadLetters(claim(), 10, "poison");
        Explanation explanation = explain(engine, Reason.DEAD_LETTER);
        assertThat(onlyTask(explanation).state()).isEqualTo(DeliveryTask.State.DEAD);
        assertThat(onlyTask(explanation).failure()).contains("poison");
        assertThat(explanation.sentence()).contains("poison");
        store.outbox().pulled().put(List.of(POST));
        assertThat(onlyTask(explain(engine, Reason.PULLED)).state()).isEqualTo(DeliveryTask.State.DEAD);
    }

    @Test
    @DisplayName("a post that is to be pulled and is not registered yet is explained by its task")
    void pullWaiting() {
        FeedEngine engine = prepared();
        store.outbox().append(List.of(new Publication(POST, FanoutMode.PULL)));
        Explanation explanation = explain(engine, Reason.PULL_WAITING);
        assertThat(onlyTask(explanation).kind()).isEqualTo(TaskKind.PULL);
        assertThat(explanation.pulled()).isEmpty();
        engine.fanout().drain();
        explain(engine, Reason.PULLED);
    }

    @Test
    @DisplayName("a lost entry is named, and a refresh repairs it")
    void missing() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        inbox().retract(List.of(new Retraction(POST, List.of(ANN))));
        assertThat(explain(engine, Reason.MISSING_FROM_INBOX).tasks()).isEmpty();
        engine.refresh(ANN);
        explain(engine, Reason.IN_INBOX);
    }

    @Test
    @DisplayName("the lost entry of a suspected inbox is added by the next first page")
    void suspected() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        inbox().retract(List.of(new Retraction(POST, List.of(ANN))));
        engine.fanout().distrustInboxes();
        engine.fanout().drain();
        explain(engine, Reason.IN_INBOX);
    }

    // Parts out of reach

    private void fail(String call, int times) {
        for (int i = 1; i <= times; i++) {
            store.before(call, 1, () -> {
                throw new StoreUnavailableException(call, null);
            });
        }
    }

    @Test
    @DisplayName("while the inboxes are out of reach, pages are read from the outboxes")
    void inboxUnreachable() {
        FeedEngine engine = prepared();
        engine.publish(POST);
        fail("inbox.windows", 1);
        Explanation explanation = engine.explain(ANN, POST.key());
        assertThat(explanation.reason()).isEqualTo(Reason.INBOX_UNREACHABLE);
        assertThat(explanation.verdict()).isEqualTo(Verdict.SHOWN);
        assertThat(explanation.unreachable()).containsOnlyKeys(Part.INBOX);
        assertThat(explanation.inbox().status()).isEqualTo(InboxState.Status.UNREACHABLE);
        assertThat(engine.explain(ANN, POST.key()).reason()).isEqualTo(Reason.PUSH_WAITING);
    }

    @Test
    @DisplayName("while the outboxes or the graph are out of reach, the verdict is unknown, and the rest is told")
    void sourceUnreachable() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        fail("outbox.existing", 1);
        Explanation withoutOutbox = engine.explain(ANN, POST.key());
        assertThat(withoutOutbox.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(withoutOutbox.unreachable()).containsOnlyKeys(Part.OUTBOX);
        assertThat(withoutOutbox.inbox().entries()).isEqualTo(1);
        fail("graph.followees", 1);
        Explanation withoutGraph = engine.explain(ANN, POST.key());
        assertThat(withoutGraph.reason()).isEqualTo(Reason.STORE_UNREACHABLE);
        assertThat(withoutGraph.unreachable()).containsOnlyKeys(Part.FOLLOW_GRAPH);
        assertThat(withoutGraph.publishedAt()).contains(POST.publishedAt());
        explain(engine, Reason.IN_INBOX);
    }

    // The state of a reader

    @Test
    @DisplayName("the state of a reader names inbox, followees, pulled authors, mark and connection")
    void inspects() {
        FeedEngine engine = prepared();
        follow(engine, ANN, ZOE);
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish(post(ZOE, 1));
        engine.usePolicy(FanoutPolicy.push());
        publish(engine, posts(BOB, 3));
        engine.markSeen(ANN, Cursor.of(post(BOB, 2)));
        ReaderState state = engine.inspect(ANN);
        assertThat(state.reader()).isEqualTo(ANN);
        assertThat(state.inbox().status()).isEqualTo(InboxState.Status.LIVE);
        assertThat(state.inbox().entries()).isEqualTo(3);
        assertThat(state.inbox().newest()).contains(post(BOB, 3));
        assertThat(state.inbox().oldest()).contains(post(BOB, 1));
        assertThat(state.inbox().floor()).isEmpty();
        assertThat(state.inbox().compared()).isPresent();
        assertThat(state.inbox().graphChanged()).isFalse();
        assertThat(state.followees().count()).isEqualTo(2);
        assertThat(state.followees().first()).containsExactly(BOB, ZOE);
        assertThat(state.followees().cutOff()).isFalse();
        assertThat(state.followees().pulledCount()).isEqualTo(1);
        assertThat(state.followees().pulled()).hasSize(1);
        assertThat(state.followees().pulled().get(0).author()).isEqualTo(ZOE);
        assertThat(state.followees().pulled().get(0).newest())
                .isAfterOrEqualTo(post(ZOE, 1).publishedAt());
        assertThat(state.pendingFollows()).isEmpty();
        assertThat(state.seenMark()).isEqualTo(engine.seenMark(ANN));
        assertThat(state.seenUpTo()).contains(post(BOB, 2).publishedAt());
        assertThat(state.connection().liveSubscriptions()).isZero();
        assertThat(state.connection().connected()).isFalse();
        assertThat(state.unreachable()).isEmpty();
        try (Connection connection = engine.presence().connect(ANN)) {
            assertThat(engine.inspect(ANN).connection().connected()).isTrue();
            assertThat(engine.inspect(ANN).connection().online()).contains(true);
            assertThat(connection).isNotNull();
        }
    }

    @Test
    @DisplayName("a reader whom nobody knows has nothing, and inspecting leaves nothing behind")
    void inspectsNobody() {
        FeedEngine engine = engine(Policy.PUSH);
        for (int i = 0; i < 2; i++) {
            ReaderState state = engine.inspect("nobody");
            assertThat(state.inbox().status()).isEqualTo(InboxState.Status.ABSENT);
            assertThat(state.followees().count()).isZero();
            assertThat(state.seenMark()).isEmpty();
            assertThat(state.unreachable()).isEmpty();
        }
    }

    @Test
    @DisplayName("an inbox's window is told as a read has renewed it, unless the store does not keep it")
    void inspectsWindow() {
        FeedEngine engine = prepared();
        Instant before = Instant.ofEpochMilli(kit.now());
        engine.rebuild(ANN);
        InboxState state = engine.inspect(ANN).inbox();
        state.lastRead().ifPresent(read -> {
            assertThat(read).isBetween(before, Instant.ofEpochMilli(kit.now()));
            assertThat(state.liveUntil()).contains(read.plus(FeedEngineBuilder.DEFAULT_LIVE_WINDOW));
        });
    }

    @Test
    @DisplayName("a state names each part that is out of reach, and holds the others")
    void inspectsPartly() {
        FeedEngine engine = prepared();
        fail("seenMarks.lastSeen", 1);
        fail("pulled.update", 1);
        ReaderState state = engine.inspect(ANN);
        assertThat(state.unreachable()).containsOnlyKeys(Part.SEEN_MARKS, Part.OUTBOX);
        assertThat(state.inbox().status()).isEqualTo(InboxState.Status.LIVE);
        assertThat(state.followees().first()).containsExactly(BOB);
        fail("graph.followees", 1);
        fail("inbox.windows", 1);
        ReaderState less = engine.inspect(ANN);
        assertThat(less.unreachable()).containsOnlyKeys(Part.FOLLOW_GRAPH, Part.INBOX);
        assertThat(less.inbox().status()).isEqualTo(InboxState.Status.UNREACHABLE);
    }

    @Test
    @DisplayName("explaining and inspecting make only calls that change nothing")
    void onlyReads() {
        FeedEngine engine = prepared();
        publish(engine, POST);
        engine.publish(post(BOB, 2));
        PostKey never = new PostKey(ZOE, "1");
        int reads = readsUnchangedBy(() -> {});
        assertThat(reads).isNotNegative();
        FanoutLog log = store.outbox().fanout();
        FanoutLog.QueueStatus before = log.queueStatus();
        for (PostKey key : List.of(POST.key(), post(BOB, 2).key(), never)) {
            engine.explain(ANN, key);
            engine.explain("nobody", key);
        }
        engine.inspect(ANN);
        assertThat(log.queueStatus()).isEqualTo(before);
        for (String write : List.of("open", "merge", "complete", "purge", "beginFollow", "deliver", "drop")) {
            int calls = store.calls("inbox." + write);
            engine.explain(ANN, POST.key());
            engine.inspect(ANN);
            assertThat(store.calls("inbox." + write)).as(write).isEqualTo(calls);
        }
    }
}
