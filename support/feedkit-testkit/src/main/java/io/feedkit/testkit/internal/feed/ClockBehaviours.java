package io.feedkit.testkit.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.internal.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Polling and counting while clocks differ and jump, and with coarse time stamps: behaviours 17, 28, 31 and 74. */
public abstract class ClockBehaviours extends FeedRules {

    private static final int ROUNDS = 15;
    private static final Duration PAUSE = Duration.ofSeconds(7);

    private final List<ShiftedClock> clocks = new ArrayList<>();
    private final List<FeedEngine> nodes = new ArrayList<>();
    private final List<Post> shown = new ArrayList<>();
    private Cursor cursor = Samples.bottom();

    /** How many of the engines read and count; all of them publish. */
    private int readers;

    protected ClockBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    /** A clock that differs from the kit's by a time that may change. */
    private static final class ShiftedClock extends Clock {

        private final Clock right;
        private Duration shift;

        ShiftedClock(Clock right, Duration shift) {
            this.right = right;
            this.shift = shift;
        }

        @Override
        public Instant instant() {
            return right.instant().plus(shift);
        }

        @Override
        public ZoneId getZone() {
            return right.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /**
     * Starts engines whose clocks differ by these times from the kit's. Ann, whose inbox is live, has read a first
     * page.
     */
    private void start(Policy policy, Duration... shifts) {
        for (Duration shift : shifts) {
            ShiftedClock clock = new ShiftedClock(clock(), shift);
            clocks.add(clock);
            nodes.add(open(builder(policy, clock)));
        }
        readers = nodes.size();
        follow(nodes.get(0), ANN, BOB, CAT);
        visit(nodes.get(0), ANN);
        cursor = nodes.get(0).read(ANN, PageRequest.first(ALL)).newer();
        nodes.get(0).markSeen(ANN, cursor);
    }

    /** One engine publishes a post, another one counts it, and a third one shows it to a polling client. */
    private void round(int n, int publisher, Duration precision) {
        kit.pass(PAUSE);
        FeedEngine publishing = nodes.get(publisher);
        long now = clocks.get(publisher).millis();
        String id = "p" + (n * 7919 % 1000);
        Post post = Post.of(n % 2 == 0 ? BOB : CAT, id, now - now % precision.toMillis());
        publishing.publish(post);
        publishing.fanout().drain();
        FeedEngine counting = nodes.get((n + 1) % readers);
        FeedEngine reading = nodes.get((n + 2) % readers);
        assertThat(counting.unread(ANN).count()).as("unread in round %d", n).isEqualTo(1);
        FeedPage<Post> page = reading.read(ANN, PageRequest.newer(Cursor.parse(cursor.toString()), ALL));
        assertThat(page.items()).as("new in round %d", n).containsExactly(post);
        shown.add(post);
        cursor = page.newer();
        reading.markSeen(ANN, cursor);
        assertThat(counting.unread(ANN).count())
                .as("after the mark in round %d", n)
                .isZero();
    }

    private void assertAllShown() {
        for (FeedEngine node : nodes.subList(0, readers)) {
            assertThat(node.read(ANN, PageRequest.newer(cursor, ALL)).items()).isEmpty();
            assertThat(feed(node, ANN)).containsExactlyInAnyOrderElementsOf(shown);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("17: engines whose clocks differ by half a lease both ways show and count each post once")
    void differingClocks(Policy policy) {
        start(policy, Duration.ZERO, Duration.ofSeconds(15), Duration.ofSeconds(-15));
        for (int n = 0; n < ROUNDS; n++) {
            round(n, n % nodes.size(), Duration.ofMillis(1));
        }
        assertAllShown();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("17: an engine whose clock is nearly five minutes ahead hides no posts of other engines")
    void farAhead(Policy policy) {
        start(policy, Duration.ZERO, Duration.ofSeconds(290));
        readers = 1;
        for (int n = 0; n < ROUNDS; n++) {
            round(n, n % 5 == 1 ? 1 : 0, Duration.ofMillis(1));
        }
        assertAllShown();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("17: a clock that is set back by a minute hides no posts")
    void setBack(Policy policy) {
        start(policy, Duration.ZERO);
        for (int n = 0; n < ROUNDS; n++) {
            if (n == ROUNDS / 2) {
                clocks.get(0).shift = Duration.ofMinutes(-1);
            }
            round(n, 0, Duration.ofMillis(1));
        }
        assertAllShown();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("28, 31: posts that are dated in whole seconds or minutes are each shown and counted once")
    void coarseTimes(Policy policy) {
        start(policy, Duration.ZERO);
        for (int n = 0; n < ROUNDS; n++) {
            round(n, 0, n < ROUNDS / 3 ? Duration.ofSeconds(1) : Duration.ofMinutes(1));
        }
        assertAllShown();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("74: a push that arrives below the mark counts once")
    void latePush(Policy policy) {
        start(policy, Duration.ZERO);
        FeedEngine engine = nodes.get(0);
        Post late = engine.publish(BOB, "late").post();
        kit.pass(Duration.ofSeconds(1));
        engine.usePolicy(Policy.PULL.fanout());
        engine.publish(CAT, "top");
        FeedPage<Post> page = engine.read(ANN, PageRequest.newer(cursor, ALL));
        engine.markSeen(ANN, page.newer());
        assertThat(engine.unread(ANN).count()).isZero();
        engine.fanout().drain();
        assertThat(engine.unread(ANN).count()).isEqualTo(page.items().contains(late) ? 0 : 1);
        engine.markSeen(
                ANN, engine.read(ANN, PageRequest.newer(page.newer(), ALL)).newer());
        assertThat(engine.unread(ANN).count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("74: late posts and posts dated ahead count the same with and without a live inbox")
    void withoutInbox(Policy policy) {
        start(policy, Duration.ZERO, Duration.ofSeconds(30));
        for (int n = 0; n < 4; n++) {
            round(n, n % 2, Duration.ofMillis(1));
        }
        store.inbox(new InboxLimits(10, 1000)).drop(List.of(ANN));
        FeedEngine engine = nodes.get(0);
        assertThat(engine.unread(ANN).count()).isZero();
        engine.publish(Post.of(CAT, "late", clocks.get(0).millis() - 20_000));
        engine.publish(BOB, "now");
        engine.fanout().drain();
        assertThat(engine.unread(ANN).count()).isEqualTo(2);
        assertThat(engine.read(ANN, PageRequest.newer(cursor, ALL)).items()).hasSize(2);
        assertThat(engine.unread(ANN).count()).isEqualTo(2);
    }
}
