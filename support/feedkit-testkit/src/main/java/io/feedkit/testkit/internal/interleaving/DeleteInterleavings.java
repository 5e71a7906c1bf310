package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testkit.fault.ProcessCrash;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A delete, and a worker that is stopped in the middle of delivering the post. */
public abstract class DeleteInterleavings extends FeedRules {

    private static final List<Post> OLD = posts(BOB, 5);
    private static final Post GONE = post(BOB, 6);

    private Duration lease;
    private FeedEngine engine;
    private FeedEngine other;

    protected DeleteInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    @BeforeEach
    void open() {
        lease = kit.shortTime();
        engine = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease).retryDelay(lease.multipliedBy(5))));
        other = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(lease).retryDelay(lease.multipliedBy(5))));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, OLD);
    }

    private void delete() {
        other.delete(BOB, GONE.id());
        other.fanout().drain();
        assertHidden();
    }

    private void assertHidden() {
        assertThat(hydrated(engine, ANN)).isEqualTo(newestFirst(OLD));
        assertThat(hydrated(other, ANN)).isEqualTo(newestFirst(OLD));
    }

    /**
     * Runs the retraction when it is due, and looks at the inbox without the parts that hide posts.
     */
    private void assertGoneForGood() {
        assertHidden();
        for (int i = 0; i < 6; i++) {
            kit.pass(lease.plusMillis(2));
            other.fanout().drain();
            assertHidden();
        }
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).isEmpty();
        assertThat(store.outbox().fanout().queueStatus().unfinished()).isZero();
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(OLD));
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"fanout.claim", "graph.followers", "inbox.deliver", "outbox.existing", "fanout.finish"})
    @DisplayName("46: a post deleted while a worker delivers it stays absent, wherever the worker is")
    void deleteDuringFanout(String step) {
        engine.publish(GONE);
        store.before(step, this::delete);
        engine.fanout().drain();
        assertGoneForGood();
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"graph.followers", "inbox.deliver", "outbox.existing", "fanout.finish"})
    @DisplayName("46: the same if the worker paused for longer than its lease, and another worker did its task")
    void leaseLostMeanwhile(String step) {
        engine.publish(GONE);
        store.before(step, () -> {
            kit.pass(lease.plusMillis(2));
            delete();
        });
        engine.fanout().drain();
        assertGoneForGood();
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"graph.followers", "inbox.deliver", "outbox.existing", "fanout.finish"})
    @DisplayName("46: the same if the post was deleted before the lease was lost")
    void leaseLostAfterwards(String step) {
        engine.publish(GONE);
        store.before(step, () -> {
            delete();
            kit.pass(lease.plusMillis(2));
            other.fanout().drain();
        });
        engine.fanout().drain();
        assertGoneForGood();
    }

    @Test
    @DisplayName(
            "46: the retraction removes a delivery that arrives after the delete, from a worker that died afterwards")
    void deliveryAfterDelete() {
        engine.publish(GONE);
        store.before("inbox.deliver", this::delete);
        store.after("inbox.deliver", ProcessCrash.NOW);
        assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(ProcessCrash.class);
        assertThat(slice(ANN).posts()).as("the dead worker's deliveries").contains(GONE);
        assertGoneForGood();
    }

    @Test
    @DisplayName("11: a post deleted long before its worker runs never shows, not even until the worker notices")
    void deletedLongBefore() {
        follow(engine, ZOE, CAT);
        store.before("inbox.deliver", DeleteInterleavings::storeDown);
        engine.publish(GONE);
        engine.fanout().drain();
        delete();
        kit.pass(lease.plusMillis(2));
        other.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).isEmpty();
        kit.pass(lease.multipliedBy(5));
        store.after("inbox.deliver", this::assertHidden);
        publish(other, post(CAT, 1));
        assertGoneForGood();
    }

    @Test
    @DisplayName("a deleted post never shows when finished tasks are restarted")
    void finishedTasksAgain() {
        publish(engine, GONE);
        delete();
        kit.pass(lease.plusMillis(2));
        other.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).isEmpty();
        store.after("inbox.deliver", this::assertHidden);
        assertThat(engine.fanout().replayFinished(Duration.ofHours(1))).isPositive();
        engine.fanout().drain();
        assertGoneForGood();
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"outbox.page", "inbox.merge", "outbox.existing"})
    @DisplayName("a post deleted while a refresh brings it back stays absent")
    void deleteDuringRefresh(String step) {
        engine.publish(GONE);
        store.after(step, this::delete);
        engine.refresh(ANN);
        assertGoneForGood();
    }

    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"outbox.newest", "inbox.merge", "outbox.existing"})
    @DisplayName("a post deleted while a follow brings it in stays absent")
    void deleteDuringFollow(String step) {
        publish(engine, GONE);
        engine.unfollow(ANN, BOB);
        store.after(step, this::deleteUnseen);
        engine.follow(ANN, BOB);
        assertGoneForGood();
    }

    private static void storeDown() {
        throw new StoreUnavailableException("inbox.deliver", null);
    }

    private void deleteUnseen() {
        other.delete(BOB, GONE.id());
        other.fanout().drain();
    }
}
