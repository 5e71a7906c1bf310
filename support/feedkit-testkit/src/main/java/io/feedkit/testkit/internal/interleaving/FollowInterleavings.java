package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.testkit.fault.ProcessCrash;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Follow and unfollow, with other operations between their steps. */
public abstract class FollowInterleavings extends FeedRules {

    private static final List<Post> OLD = posts(BOB, 5);

    private FeedEngine engine;
    private FeedEngine other;

    protected FollowInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    @BeforeEach
    void open() {
        engine = engine(Policy.PUSH);
        other = engine(Policy.PUSH);
        visit(engine, ANN);
        publish(engine, OLD);
    }

    private void assertFeed(List<Post> expected) {
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(expected));
        assertThat(feed(other, ANN)).isEqualTo(newestFirst(expected));
        assertThat(engine.refresh(ANN)).as("posts missing in the inbox").isZero();
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(
            strings = {
                "inbox.beginFollow",
                "graph.add",
                "inbox.purge",
                "outbox.newest",
                "inbox.merge",
                "inbox.endFollow"
            })
    @DisplayName("a post published and fanned out during a follow is in the feed")
    void publishDuringFollow(String step) {
        store.after(step, () -> publish(other, post(BOB, 6)));
        engine.follow(ANN, BOB);
        assertFeed(posts(BOB, 6));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"fanout.claim", "graph.followers", "inbox.deliver", "outbox.existing"})
    @DisplayName("after a follow during the fan-out of a post, the post is in the feed")
    void followDuringFanout(String step) {
        follow(engine, ZOE, BOB);
        engine.publish(post(BOB, 6));
        store.after(step, () -> other.follow(ANN, BOB));
        engine.fanout().drain();
        assertFeed(posts(BOB, 6));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"fanout.claim", "graph.followers", "inbox.deliver", "outbox.existing"})
    @DisplayName(
            "after an unfollow during the fan-out of a post, the post is not in the feed, nor in the inbox after a new"
                    + " follow")
    void unfollowDuringFanout(String step) {
        engine.follow(ANN, BOB);
        engine.publish(post(BOB, 6));
        store.after(step, () -> other.unfollow(ANN, BOB));
        engine.fanout().drain();
        assertFeed(List.of());
        engine.delete(BOB, "p0006");
        engine.follow(ANN, BOB);
        assertFeed(OLD);
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"graph.remove", "inbox.purge", "inbox.endFollow"})
    @DisplayName("the purge of an unfollow removes no posts of a follow that came after the edge was removed")
    void purgeAgainstFollow(String step) {
        engine.follow(ANN, BOB);
        boolean edgeStillThere = step.equals("graph.remove");
        store.before(step, () -> other.follow(ANN, BOB));
        engine.unfollow(ANN, BOB);
        assertThat(engine.isFollowing(ANN, BOB)).isEqualTo(!edgeStillThere);
        assertFeed(edgeStillThere ? List.of() : OLD);
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(
            strings = {
                "inbox.beginFollow",
                "graph.add",
                "inbox.purge",
                "outbox.newest",
                "inbox.merge",
                "inbox.endFollow"
            })
    @DisplayName("after an unfollow in the middle of a follow of the same pair, the feed matches the graph")
    void unfollowDuringFollow(String step) {
        store.after(step, () -> other.unfollow(ANN, BOB));
        engine.follow(ANN, BOB);
        boolean edgeCameLater = step.equals("inbox.beginFollow");
        assertThat(engine.isFollowing(ANN, BOB)).isEqualTo(edgeCameLater);
        assertFeed(edgeCameLater ? OLD : List.of());
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"inbox.beginFollow", "graph.add", "inbox.purge", "outbox.newest", "inbox.merge"})
    @DisplayName("two concurrent follows of the same pair on two engines leave a complete inbox and no pending follow")
    void twoFollows(String step) {
        store.after(step, () -> other.follow(ANN, BOB));
        engine.follow(ANN, BOB);
        assertFeed(OLD);
        assertThat(pending()).isEmpty();
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"graph.add", "inbox.purge", "outbox.newest", "inbox.merge"})
    @DisplayName("a follow whose process dies after the edge was added still shows the author, and following again "
            + "finishes it")
    void dyingFollow(String step) {
        store.after(step, ProcessCrash.NOW);
        assertThatThrownBy(() -> engine.follow(ANN, BOB)).isInstanceOf(ProcessCrash.class);
        assertThat(feed(other, ANN)).isEqualTo(newestFirst(OLD));
        publish(other, post(BOB, 6));
        assertThat(feed(other, ANN)).isEqualTo(newestFirst(posts(BOB, 6)));
        assertThat(pending()).containsExactly(BOB);
        assertThat(other.follow(ANN, BOB)).as("new").isFalse();
        assertThat(pending()).isEmpty();
        assertFeed(posts(BOB, 6));
    }

    @Test
    @DisplayName("a post published and fanned out, an unfollow, or a first read at any call of a move is in effect")
    void moveAgainstOthers() {
        engine.follow(ANN, BOB);
        engine.follow(ZOE, BOB);
        visit(engine, ZOE);
        publish(other, posts(CAT, 3));
        int before = store.calls(InterleavingStore.ANY);
        assertThat(engine.moveFollowers(BOB, CAT)).isEqualTo(2);
        int calls = store.calls(InterleavingStore.ANY) - before;
        List<Post> expected = new ArrayList<>(posts(CAT, 3));
        for (int call = 1; call <= calls; call++) {
            String from = call % 2 == 1 ? CAT : BOB;
            String to = call % 2 == 1 ? BOB : CAT;
            Post post = post(CAT, 10 + call);
            String newReader = "new" + call;
            connect(List.of(newReader), from);
            store.before(InterleavingStore.ANY, call, () -> {
                publish(other, post);
                other.unfollow(ZOE, from);
                visit(other, newReader);
            });
            engine.moveFollowers(from, to);
            expected.add(post);
            List<Post> moved = newestFirst(to.equals(CAT) ? expected : OLD);
            assertThat(feed(engine, ANN)).as("call %d", call).isEqualTo(moved);
            assertThat(feed(other, ANN)).as("call %d", call).isEqualTo(moved);
            assertThat(feed(other, newReader)).as("call %d", call).isEqualTo(moved);
            assertThat(engine.refresh(ANN)).as("posts missing").isZero();
            assertThat(pending()).isEmpty();
            assertThat(engine.isFollowing(ZOE, from)).isFalse();
            assertThat(slice(ZOE).pending()).as("pending, call %d", call).isEmpty();
            assertThat(feed(other, ZOE)).as("call %d", call).isEqualTo(engine.isFollowing(ZOE, to) ? moved : List.of());
            engine.follow(ZOE, to);
        }
    }

    @Test
    @DisplayName("a follow whose process dies before the edge was added shows nothing of the author")
    void dyingBeforeEdge() {
        store.before("graph.add", ProcessCrash.NOW);
        assertThatThrownBy(() -> engine.follow(ANN, BOB)).isInstanceOf(ProcessCrash.class);
        assertThat(feed(other, ANN)).isEmpty();
        assertThat(other.refresh(ANN)).isZero();
        assertThat(pending()).isEmpty();
    }

    @Test
    @DisplayName(
            "a refresh that finishes an interrupted follow removes no posts of another follow, whenever that happens")
    void refreshWithNoteAgainstFollow() {
        int calls = 0;
        for (int call = 0; call <= calls; call++) {
            String reader = ANN + call;
            visit(engine, reader);
            store.after("graph.add", ProcessCrash.NOW);
            assertThatThrownBy(() -> engine.follow(reader, CAT)).isInstanceOf(ProcessCrash.class);
            int before = store.calls(InterleavingStore.ANY);
            if (call > 0) {
                store.before(InterleavingStore.ANY, call, () -> other.follow(reader, BOB));
            }
            engine.refresh(reader);
            if (call == 0) {
                calls = store.calls(InterleavingStore.ANY) - before;
                other.follow(reader, BOB);
            }
            assertThat(feed(engine, reader)).as("followed before call %d", call).isEqualTo(newestFirst(OLD));
            assertThat(engine.refresh(reader)).as("posts missing").isZero();
        }
    }

    private Set<String> pending() {
        return slice(ANN).pending();
    }
}
