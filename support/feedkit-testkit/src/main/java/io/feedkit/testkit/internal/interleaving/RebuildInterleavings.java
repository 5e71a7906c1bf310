package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rebuild, with other operations between its steps. */
public abstract class RebuildInterleavings extends FeedRules {

    protected RebuildInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    private static final List<Post> OLD = posts(BOB, 5);

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        publish(engine, OLD);
        return engine;
    }

    private static List<Post> oldAnd(Post... more) {
        List<Post> posts = new ArrayList<>(OLD);
        posts.addAll(List.of(more));
        return newestFirst(posts);
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(
            strings = {
                "inbox.open",
                "outbox.settledMark",
                "graph.followees",
                "outbox.newest",
                "inbox.merge",
                "inbox.complete"
            })
    @DisplayName("a post published and fanned out during a rebuild is in the rebuilt inbox")
    void publishDuringRebuild(String step) {
        FeedEngine engine = prepared(Policy.PUSH);
        FeedEngine other = engine(Policy.PUSH);
        store.after(step, () -> publish(other, post(BOB, 9)));
        assertThat(engine.rebuild(ANN)).isTrue();
        assertThat(engine.refresh(ANN)).as("posts missing in the inbox").isZero();
        assertThat(feed(engine, ANN)).isEqualTo(oldAnd(post(BOB, 9)));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(
            strings = {
                "inbox.open",
                "outbox.settledMark",
                "graph.followees",
                "outbox.newest",
                "inbox.merge",
                "inbox.complete"
            })
    @DisplayName("a post recorded before a rebuild and fanned out during it is in the rebuilt inbox")
    void fanoutDuringRebuild(String step) {
        FeedEngine engine = prepared(Policy.PUSH);
        FeedEngine other = engine(Policy.PUSH);
        engine.publish(post(BOB, 9));
        store.after(step, () -> other.fanout().drain());
        assertThat(engine.rebuild(ANN)).isTrue();
        assertThat(engine.refresh(ANN)).as("posts missing in the inbox").isZero();
        assertThat(feed(engine, ANN)).isEqualTo(oldAnd(post(BOB, 9)));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"inbox.open", "graph.followees", "outbox.newest", "inbox.merge", "the check"})
    @DisplayName("a post deleted during a rebuild does not reappear with it")
    void deleteDuringRebuild(String step) {
        FeedEngine engine = prepared(Policy.PUSH);
        FeedEngine other = engine(Policy.PUSH);
        // An outbox that knows what was deleted is not asked which posts exist.
        boolean knows = store.outbox().deletedSince(List.of(BOB), 0, 100).isPresent();
        String check = knows ? "outbox.deletedSince" : "outbox.existing";
        store.after(step.equals("the check") ? check : step, () -> {
            other.delete(BOB, "p0003");
            other.fanout().drain();
        });
        assertThat(engine.rebuild(ANN)).isTrue();
        kit.pass(Duration.ofMinutes(1));
        engine.fanout().drain();
        assertThat(feed(engine, ANN))
                .isEqualTo(newestFirst(
                        OLD.stream().filter(post -> !post.id().equals("p0003")).toList()));
    }

    @Test
    @DisplayName("a builder whose lease has expired changes nothing any more after a second builder has started")
    void staleBuilder() {
        Duration lease = kit.shortTime();
        FeedEngine first = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease)));
        FeedEngine second = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease)));
        follow(first, ANN, BOB, DAN);
        publish(first, OLD);
        publish(first, posts(DAN, 3));
        store.after("outbox.newest", () -> {
            kit.pass(lease.plusMillis(2));
            second.follow(ANN, CAT);
            publish(second, posts(CAT, 5));
            second.unfollow(ANN, DAN);
            assertThat(second.rebuild(ANN)).isTrue();
        });
        assertThat(first.rebuild(ANN)).as("the first builder's work counts").isFalse();
        List<Post> expected = new ArrayList<>(OLD);
        expected.addAll(posts(CAT, 5));
        assertThat(slice(ANN).posts()).as("the second builder's inbox").isEqualTo(newestFirst(expected));
        assertThat(feed(first, ANN)).isEqualTo(newestFirst(expected));
        assertThat(feed(second, ANN)).isEqualTo(newestFirst(expected));
    }

    @Test
    @DisplayName("a builder that was overtaken while it collects posts leaves the inbox to the second builder")
    void overtakenBeforeMerge() {
        Duration lease = kit.shortTime();
        FeedEngine first = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease)));
        FeedEngine second = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease)));
        follow(first, ANN, BOB);
        publish(first, OLD);
        store.before("inbox.complete", () -> {
            kit.pass(lease.plusMillis(2));
            assertThat(second.rebuild(ANN)).isTrue();
        });
        assertThat(first.rebuild(ANN)).isFalse();
        assertThat(feed(second, ANN)).isEqualTo(newestFirst(OLD));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"inbox.open", "outbox.newest", "inbox.merge"})
    @DisplayName("if two engines rebuild one inbox, the second is refused, and serves pages from the outboxes")
    void twoBuilders(String step) {
        FeedEngine first = prepared(Policy.PUSH);
        FeedEngine second = engine(Policy.PUSH);
        store.after(step, () -> {
            assertThat(second.rebuild(ANN)).as("a second builder is let in").isFalse();
            assertThat(feed(second, ANN)).isEqualTo(newestFirst(OLD));
        });
        assertThat(first.rebuild(ANN)).isTrue();
        assertThat(store.calls("inbox.merge")).as("merges").isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a walk loses nothing when the inbox expires between two pages")
    void expiresDuringWalk(Policy policy) {
        FeedEngine engine = open(builder(policy).liveWindow(kit.shortTime()));
        FeedEngine other = open(builder(policy).liveWindow(kit.shortTime()));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 20));
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(7));
        kit.pass(kit.shortTime().plusMillis(2));
        publish(other, posts(BOB, 25).subList(20, 25));
        List<Post> seen = new ArrayList<>(page.items());
        seen.addAll(engine.read(ANN, PageRequest.older(page.older().orElseThrow(), ALL))
                .items());
        assertThat(seen).isEqualTo(newestFirst(posts(BOB, 20)));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 25)));
    }

    @Test
    @DisplayName("a post that becomes visible late is found below the cursor by the walk, and above it by the next "
            + "first page")
    void latePost() {
        FeedEngine engine = prepared(Policy.PUSH);
        visit(engine, ANN);
        Post above = Post.of(BOB, "above", Samples.EPOCH + 5);
        Post below = Post.of(BOB, "below", Samples.EPOCH + 1);
        List<Post> seen = walk(engine, ANN, 2, pages -> {
            if (pages == 1) {
                publish(engine, above, below);
            }
        });
        assertThat(seen).isEqualTo(oldAnd(below));
        assertThat(feed(engine, ANN)).isEqualTo(oldAnd(above, below));
    }
}
