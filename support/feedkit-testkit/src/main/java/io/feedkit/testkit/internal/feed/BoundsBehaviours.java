package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cap, trim and expiry: behaviours 34 to 40. */
public abstract class BoundsBehaviours extends FeedRules {

    private static final int CAP = 10;
    private static final Duration LIVE_WINDOW = Duration.ofHours(1);
    private static final Duration MOST_OF_WINDOW = Duration.ofMinutes(50);

    protected BoundsBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = engine(policy, CAP);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        return engine;
    }

    private Slice inbox() {
        InboxLimits limits = new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(ANN, PositionRange.ALL, Order.NEWEST_FIRST, ALL, false);
        return store.inbox(limits).slice(List.of(query)).get(0);
    }

    @Test
    @DisplayName("34, 40: at the cap a newer post takes the place of the oldest, and more than the cap is never served")
    void cap() {
        FeedEngine engine = prepared(Policy.PUSH);
        for (int n = 1; n <= 50; n++) {
            publish(engine, post(BOB, n));
            List<Post> held = inbox().posts();
            assertThat(held).hasSizeLessThanOrEqualTo(CAP).startsWith(post(BOB, n));
            assertThat(held).isEqualTo(newestFirst(posts(BOB, n)).subList(0, held.size()));
        }
        assertThat(inbox().posts()).hasSize(CAP);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 50)));
    }

    @Test
    @DisplayName("35: at the cap a post older than all entries stays out of the inbox, but is in the feed")
    void olderThanEverything() {
        FeedEngine engine = prepared(Policy.PUSH);
        publish(engine, posts(BOB, 50));
        List<Post> before = inbox().posts();
        Post ancient = Post.of(BOB, "ancient", 1);
        publish(engine, ancient);
        assertThat(inbox().posts()).isEqualTo(before);
        assertThat(feed(engine, ANN)).hasSize(51).endsWith(ancient);
    }

    @Test
    @DisplayName("36: nothing is removed from a feed below the cap or from an empty one")
    void nothingToTrim() {
        FeedEngine engine = prepared(Policy.PUSH);
        assertThat(engine.refresh(ANN)).isZero();
        assertThat(inbox().posts()).isEmpty();
        publish(engine, posts(BOB, CAP));
        assertThat(engine.refresh(ANN)).isZero();
        assertThat(inbox().posts()).hasSize(CAP);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("37: posts that were trimmed are in their right places below the floor, and above it once there is "
            + "room again")
    void trimmedAndBack(Policy policy) {
        FeedEngine engine = prepared(policy);
        publish(engine, shuffled(posts(BOB, 30), 5));
        assertThat(walk(engine, ANN, 4)).isEqualTo(newestFirst(posts(BOB, 30)));
        posts(BOB, 30).subList(10, 30).forEach(post -> engine.delete(BOB, post.id()));
        engine.fanout().drain();
        assertThat(walk(engine, ANN, 4)).isEqualTo(newestFirst(posts(BOB, 10)));
        engine.rebuild(ANN);
        assertThat(inbox().posts()).isEqualTo(newestFirst(posts(BOB, 10)));
        assertThat(walk(engine, ANN, 4)).isEqualTo(newestFirst(posts(BOB, 10)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("39: the feed of a reader who stays away is cleared, costs no deliveries, and is rebuilt on return")
    void away(Policy policy) {
        FeedEngine engine = open(builder(policy).liveWindow(kit.shortTime()));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 5));
        kit.pass(kit.shortTime().plusMillis(2));
        List<Post> all = new ArrayList<>(posts(BOB, 8));
        publish(engine, all.subList(5, 8));
        assertThat(slice(ANN).state()).isEqualTo(State.ABSENT);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(all));
        assertThat(slice(ANN).state()).isEqualTo(State.LIVE);
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(all));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "an author who publishes and does not read stays live where publishes count as activity, and only there; "
                    + "a publish opens no inbox")
    void publishingCounts(boolean counts) {
        FeedEngine engine = open(builder(Policy.PUSH).liveWindow(LIVE_WINDOW).publishingCountsAsActivity(counts));
        follow(engine, ANN, BOB);
        follow(engine, ZOE, BOB);
        visit(engine, ANN);
        for (int n = 1; n <= 2; n++) {
            kit.pass(MOST_OF_WINDOW);
            engine.publish(post(ANN, n));
            engine.publish(post(ZOE, n));
        }
        publish(engine, posts(BOB, 1));
        assertThat(state(ANN)).isEqualTo(counts ? State.LIVE : State.ABSENT);
        assertThat(state(ZOE)).isEqualTo(State.ABSENT);
    }

    private State state(String reader) {
        InboxLimits limits = new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, ALL, false);
        return store.inbox(limits).slice(List.of(query)).get(0).state();
    }
}
