package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unread counts: behaviours 74 to 76. */
public abstract class UnreadBehaviours extends FeedRules {

    protected UnreadBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = open(builder(policy).cap(10).unreadCap(30));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 20));
        return engine;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("74: the posts above the mark are unread; marking a page leaves none, and a read above the mark gives"
            + " exactly these")
    void unread(Policy policy) {
        FeedEngine engine = prepared(policy);
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(5));
        assertThat(engine.unread(ANN).count()).as("before anything was marked").isEqualTo(20);
        engine.markSeen(ANN, page.newer());
        assertThat(engine.unread(ANN).count()).isZero();
        publish(engine, posts(BOB, 23).subList(20, 23));
        assertThat(engine.unread(ANN).count()).isEqualTo(3);
        assertThat(engine.read(ANN, PageRequest.newer(page.newer(), ALL)).items())
                .isEqualTo(newestFirst(posts(BOB, 23).subList(20, 23)));
        engine.delete(BOB, "p0022");
        assertThat(engine.unread(ANN).count()).isEqualTo(2);
        engine.unfollow(ANN, BOB);
        assertThat(engine.unread(ANN).count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("74: with a mark in the middle the posts above it count, and the mark never moves back")
    void markInTheMiddle(Policy policy) {
        FeedEngine engine = prepared(policy);
        Cursor middle = engine.read(ANN, PageRequest.first(8)).older().orElseThrow();
        Cursor lower = engine.read(ANN, PageRequest.first(15)).older().orElseThrow();
        engine.markSeen(ANN, middle);
        assertThat(engine.unread(ANN).count()).isEqualTo(7);
        engine.markSeen(ANN, lower);
        assertThat(engine.unread(ANN).count()).isEqualTo(7);
        engine.delete(BOB, "p0013");
        assertThat(engine.unread(ANN).count())
                .as("with the marked post deleted")
                .isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("76: for a new reader everything is unread, up to the cap of the count")
    void newReader(Policy policy) {
        FeedEngine engine = prepared(policy);
        follow(engine, DAN, BOB);
        assertThat(engine.unread(DAN).count()).isEqualTo(20);
        assertThat(engine.unread("nobody").count()).isZero();
        publish(engine, posts(BOB, 60));
        assertThat(engine.unread(DAN).count()).isEqualTo(30);
        engine.markSeen(DAN, engine.read(DAN, PageRequest.first(1)).newer());
        assertThat(engine.unread(DAN).count()).isZero();
        publish(engine, post(BOB, 61));
        assertThat(engine.unread(DAN).count()).isEqualTo(1);
        assertThat(engine.unread(ANN).count()).isEqualTo(30);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("own posts are in the feed, and never count as unread")
    void ownPosts(Policy policy) {
        FeedEngine engine = open(builder(policy).ownPosts(true));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, post(ANN, 1), post(BOB, 2), post(ANN, 3));
        assertThat(feed(engine, ANN)).hasSize(3);
        assertThat(engine.unread(ANN).count()).isEqualTo(1);
        assertThat(engine.unread(BOB).count()).isZero();
    }

    @Test
    @DisplayName("a mark never rises above the present: a cursor of the far future does not mark future posts as seen")
    void farFuture() {
        FeedEngine engine = open(builder(Policy.PUSH).maxFutureSkew(Duration.ZERO));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, post(BOB, 1));
        Clock late = Clock.fixed(Instant.parse("9999-01-01T00:00:00Z"), ZoneOffset.UTC);
        try (FeedEngine ahead = FeedEngine.inMemory().clock(late).workers(0).build()) {
            Cursor forged = ahead.read(ANN, PageRequest.first(1)).newer();
            engine.markSeen(ANN, Cursor.parse(forged.toString()));
        }
        assertThat(engine.unread(ANN).count()).isZero();
        kit.pass(Duration.ofMillis(5));
        engine.publish(BOB, "later");
        engine.fanout().drain();
        assertThat(engine.unread(ANN).count()).isEqualTo(1);
    }

    @Test
    @DisplayName("with the largest scan limit all posts are counted")
    void largestBound() {
        FeedEngine engine = open(
                builder(Policy.PUSH).unreadCap(2000).reading(reading -> reading.maxScannedPerPage(Integer.MAX_VALUE)));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 700));
        assertThat(engine.unread(ANN).count()).isEqualTo(700);
    }
}
