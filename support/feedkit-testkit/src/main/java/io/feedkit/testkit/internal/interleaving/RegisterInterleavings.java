package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testkit.fault.ProcessCrash;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entering the pulled register, and leaving it. */
public abstract class RegisterInterleavings extends FeedRules {

    private FeedEngine pushing;
    private FeedEngine pulling;

    protected RegisterInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    @BeforeEach
    void open() {
        pushing = engine(Policy.PUSH);
        pulling = engine(Policy.PULL);
        follow(pushing, ANN, BOB);
        visit(pushing, ANN);
    }

    private void assertFeed(List<Post> expected) {
        assertThat(feed(pushing, ANN)).isEqualTo(newestFirst(expected));
        assertThat(feed(pulling, ANN)).isEqualTo(newestFirst(expected));
    }

    private boolean isPulled() {
        return RegisterSnapshot.of(store.outbox().pulled()).pulled().containsKey(BOB);
    }

    @Test
    @DisplayName("an author leaves the register when a newer post was pushed and the unpushed ones were caught up")
    void catchUp() {
        publish(pulling, posts(BOB, 3));
        assertThat(isPulled()).isTrue();
        publish(pushing, post(BOB, 4));
        assertThat(isPulled()).isFalse();
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(posts(BOB, 4)));
        assertFeed(posts(BOB, 4));
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"fanout.catchUp", "outbox.newest", "inbox.deliver", "outbox.existing", "pulled.remove"})
    @DisplayName("an author with a new pulled post during the catch-up stays in the register")
    void newPostDuringCatchUp(String step) {
        publish(pulling, posts(BOB, 3));
        store.before(step, () -> pulling.publish(post(BOB, 5)));
        publish(pushing, post(BOB, 4));
        assertThat(isPulled()).isTrue();
        assertFeed(posts(BOB, 5));
        publish(pushing, post(BOB, 6));
        assertThat(isPulled()).isFalse();
        assertFeed(posts(BOB, 6));
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"fanout.catchUp", "outbox.newest", "inbox.deliver", "outbox.existing", "pulled.remove"})
    @DisplayName("a post pulled with an old time during the catch-up is not lost with the entry")
    void latePostDuringCatchUp(String step) {
        publish(pulling, posts(BOB, 3));
        Post late = Post.of(BOB, "late", Samples.EPOCH - 1000);
        store.before(step, () -> pulling.publish(late));
        publish(pushing, post(BOB, 4));
        publish(pushing, post(BOB, 5));
        assertThat(feed(pushing, ANN)).hasSize(6).endsWith(late);
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"outbox.newest", "inbox.deliver", "outbox.existing", "pulled.remove", "fanout.finish"})
    @DisplayName("a catch-up whose worker dies is repeated by another, and the feed is complete all the time")
    void dyingCatchUp(String step) {
        publish(pulling, posts(BOB, 3));
        publish(pushing, List.of());
        pushing.publish(post(BOB, 4));
        boolean always = step.equals("inbox.deliver") || step.equals("outbox.existing") || step.equals("fanout.finish");
        store.before(step, always ? 2 : 1, ProcessCrash.NOW);
        assertThatThrownBy(() -> pushing.fanout().drain()).isInstanceOf(ProcessCrash.class);
        assertFeed(posts(BOB, 4));
        kit.pass(FeedEngineBuilder.DEFAULT_LEASE.plusMillis(2));
        pulling.fanout().drain();
        assertThat(isPulled()).isFalse();
        assertFeed(posts(BOB, 4));
    }

    @Test
    @DisplayName("a pulled post whose publisher dies before entering it in the register is entered by a worker")
    void dyingPublisher() {
        store.before("pulled.put", ProcessCrash.NOW);
        assertThatThrownBy(() -> pulling.publish(post(BOB, 1))).isInstanceOf(ProcessCrash.class);
        assertThat(isPulled()).isFalse();
        pushing.fanout().drain();
        assertFeed(posts(BOB, 1));
    }

    @Test
    @DisplayName("a publish that cannot reach the register succeeds, and a worker makes the post visible")
    void registerDown() {
        store.before("pulled.put", () -> {
            throw new StoreUnavailableException("pulled.put", null);
        });
        assertThat(pulling.publish(post(BOB, 1)).status()).isEqualTo(Published.Status.NEW);
        pulling.fanout().drain();
        assertFeed(posts(BOB, 1));
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"outbox.append", "pulled.put"})
    @DisplayName(
            "a pulled post shows at once on the engine that published it, whatever the engine's readers load meanwhile")
    void headsLoadedDuringPublish(String step) {
        FeedEngine cautious =
                open(FeedEngine.builder(store).clock(clock()).workers(0).policy(Policy.PULL.fanout()));
        cautious.publish(post(BOB, 1));
        store.after(step, () -> feed(cautious, ANN));
        cautious.publish(post(BOB, 2));
        assertThat(feed(cautious, ANN)).isEqualTo(newestFirst(posts(BOB, 2)));
    }

    @Test
    @DisplayName(
            "a pulled post shows at once on the engine that published it, even if a read of the outbox began before")
    void publishDuringLoadOfHeads() {
        FeedEngine cautious =
                open(FeedEngine.builder(store).clock(clock()).workers(0).policy(Policy.PULL.fanout()));
        cautious.publish(post(BOB, 1));
        store.after("outbox.newest", () -> cautious.publish(post(BOB, 2)));
        feed(cautious, ANN);
        assertThat(feed(cautious, ANN)).isEqualTo(newestFirst(posts(BOB, 2)));
    }
}
