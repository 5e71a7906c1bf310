package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.internal.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Order, time and ties: behaviours 16 to 21, and 66. */
public abstract class OrderBehaviours extends FeedRules {

    protected OrderBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("16: a feed is newest first, in whatever order the posts came in")
    void shuffledInserts(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        for (Post post : shuffled(posts(BOB, 60), 7)) {
            publish(engine, post);
        }
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 60)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("17: a post of an engine whose clock is ahead sorts first, and is unread until it was seen; "
            + "a later post below it is new and unread")
    void future(Policy policy) {
        FeedEngine engine = engine(policy);
        FeedEngine fast = open(builder(policy, Clock.offset(clock(), Duration.ofMinutes(1))));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 2));
        fast.publish(BOB, "ahead");
        fast.fanout().drain();
        publish(engine, new Post(BOB, "now", clock().instant()));
        assertThat(ids(feed(engine, ANN))).containsExactly("ahead", "now", "p0002", "p0001");
        assertThat(engine.unread(ANN).count()).isEqualTo(4);
        Cursor seen = engine.read(ANN, PageRequest.first(1)).newer();
        engine.markSeen(ANN, seen);
        assertThat(engine.unread(ANN).count()).isZero();
        kit.pass(Duration.ofMillis(5));
        Post later = engine.publish(BOB, "later").post();
        engine.fanout().drain();
        assertThat(ids(feed(engine, ANN))).startsWith("ahead", "later", "now");
        assertThat(engine.unread(ANN).count()).isEqualTo(1);
        assertThat(engine.read(ANN, PageRequest.newer(seen, ALL)).items()).containsExactly(later);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("18: posts of several authors are in one order of time")
    void interleavedAuthors(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB, CAT, DAN);
        follow(engine, YAN, CAT);
        follow(engine, ZOE, CAT);
        visit(engine, ANN);
        List<Post> all = new ArrayList<>();
        for (int n = 0; n < 90; n++) {
            all.add(Post.of(List.of(BOB, CAT, DAN).get(n % 3), "p" + n, Samples.EPOCH + n * 37L % 100));
        }
        for (int i = 0; i < all.size(); i += 9) {
            publish(engine, all.subList(i, i + 9));
        }
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(all));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("19: equal times are ordered by id and author, the same for every read and every inbox")
    void ties(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, "bob", "amy", "Amy");
        follow(engine, YAN, "amy");
        follow(engine, ZOE, "amy");
        visit(engine, ANN);
        publish(engine, shuffled(Samples.ties(), 3));
        List<Post> expected = newestFirst(Samples.ties());
        assertThat(feed(engine, ANN)).as("first read").isEqualTo(expected);
        assertThat(feed(engine, ANN)).as("second read").isEqualTo(expected);
        assertThat(walk(engine, ANN, 1)).as("one by one").isEqualTo(expected);
        follow(engine, DAN, "bob", "amy", "Amy");
        assertThat(feed(engine, DAN)).as("a new inbox").isEqualTo(expected);
        assertThat(feed(open(builder(policy).reading(reading -> reading.concurrentRebuilds(0))), CAT))
                .isEmpty();
        engine.rebuild(ANN);
        assertThat(feed(engine, ANN)).as("rebuilt").isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("20: the first items do not depend on the limit")
    void anyLimit(Policy policy) {
        FeedEngine engine = open(builder(policy).cap(10));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 30));
        List<Post> all = newestFirst(posts(BOB, 30));
        for (int limit = 1; limit <= 40; limit++) {
            assertThat(engine.read(ANN, PageRequest.first(limit)).items())
                    .as("first %d", limit)
                    .isEqualTo(all.subList(0, Math.min(limit, 30)));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("21: a walk upwards is the mirror image of a walk downwards")
    void mirror(Policy policy) {
        FeedEngine engine = open(builder(policy).cap(10));
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        publish(engine, posts(BOB, 20));
        publish(engine, posts(CAT, 20));
        List<Post> down = walk(engine, ANN, 7);
        assertThat(down).hasSize(40);
        assertThat(climb(engine, ANN, Samples.bottom(), 6)).isEqualTo(oldestFirst(down));
    }

    @Test
    @DisplayName("66: a post dated too far ahead is refused, and one dated a little ahead gets the present time")
    void skew() {
        FeedEngine engine = engine(Policy.PUSH);
        Instant latest = clock().instant().plus(FeedEngineBuilder.DEFAULT_MAX_FUTURE_SKEW);
        Instant tooLate = latest.plusSeconds(60);
        assertThatThrownBy(() -> engine.publish(new Post(BOB, "ahead", tooLate)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("publishedAt");
        Post given = new Post(BOB, "just", latest);
        Post imported = new Post(BOB, "imported", latest);
        assertThat(engine.publish(given).post().publishedAt()).isBefore(latest);
        engine.importPosts(List.of(imported));
        List<Post> stored = engine.readAuthor(BOB, PageRequest.first(9)).items();
        assertThat(ids(stored)).containsExactlyInAnyOrder("just", "imported");
        assertThat(stored).noneMatch(post -> post.publishedAt().isAfter(clock().instant()));
    }
}
