package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox.State;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rebuilding, isolation and limits: behaviours 77 to 87. */
public abstract class RebuildBehaviours extends FeedRules {

    protected RebuildBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("77: a rebuild that finds no posts gives an empty, live feed without error")
    void nothingToBuild(Policy policy) {
        FeedEngine engine = engine(policy);
        assertThat(engine.rebuild(ANN)).isTrue();
        assertThat(feed(engine, ANN)).isEmpty();
        assertThat(slice(ANN).state()).isEqualTo(State.LIVE);
        follow(engine, ANN, BOB);
        assertThat(engine.rebuild(ANN)).isTrue();
        publish(engine, post(BOB, 1));
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("78: while a feed is rebuilding readers get the whole feed from the outboxes, never a wrong empty one")
    void readDuringRebuild(Policy policy) {
        FeedEngine engine = engine(policy);
        FeedEngine other = engine(policy);
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, 20));
        for (String step : List.of("inbox.open", "outbox.newest", "inbox.merge")) {
            store.after(step, () -> {
                assertThat(slice(ANN).state()).isEqualTo(State.BUILDING);
                assertThat(walk(other, ANN, 7)).isEqualTo(newestFirst(posts(BOB, 20)));
            });
        }
        assertThat(engine.rebuild(ANN)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("79: a rebuilt feed equals the one that was kept up to date, item for item")
    void rebuiltEqualsKept(Policy policy) {
        FeedEngine engine = engine(policy, 20);
        follow(engine, ANN, BOB, CAT);
        follow(engine, YAN, CAT);
        follow(engine, ZOE, CAT);
        visit(engine, ANN);
        Random random = new Random(3);
        for (int n = 1; n <= 60; n++) {
            publish(engine, post(random.nextBoolean() ? BOB : CAT, 1 + random.nextInt(1000)));
            if (n % 7 == 0) {
                engine.delete(BOB, feed(engine, ANN).get(0).id());
            }
        }
        List<Post> kept = walk(engine, ANN, 7);
        assertThat(engine.rebuild(ANN)).isTrue();
        assertThat(walk(engine, ANN, 7)).isEqualTo(kept);
        follow(engine, DAN, BOB, CAT);
        assertThat(walk(engine, DAN, 7)).isEqualTo(kept);
    }

    /** Longer than an engine pauses after a failed build of an inbox. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    @Test
    @DisplayName("80: a failed build is repeated by a later read, and every read until then gives the right page")
    void failedBuild() {
        FeedEngine engine = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(kit.shortTime())));
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, 5));
        store.before("outbox.newest", () -> {
            throw new StoreUnavailableException("outbox.newest", null);
        });
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 5)));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 5)));
        assertThat(slice(ANN).state()).isEqualTo(State.BUILDING);
        kit.pass(kit.shortTime().plus(AFTER_FAILURE));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 5)));
        assertThat(slice(ANN).state()).isEqualTo(State.LIVE);
    }

    @Tag("concurrency")
    @Test
    @DisplayName("80: concurrent first reads of one engine build the feed once")
    void concurrentFirstReads() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, 5));
        List<List<Post>> pages = Race.run(kit.threads(), thread -> feed(engine, ANN));
        assertThat(pages).containsOnly(newestFirst(posts(BOB, 5)));
        assertThat(store.calls("inbox.merge")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"PUSH", "PULL"})
    @DisplayName(
            "82: numbers, large numbers, UUIDs and punctuation work as user ids and as post ids, and are not confused")
    void awkwardIds(Policy policy) {
        throughEverything(policy);
    }

    @Exhaustive
    @ParameterizedTest
    @EnumSource(names = {"HYBRID", "ACTIVE"})
    @DisplayName(
            "82: numbers, large numbers, UUIDs and punctuation work as user ids and as post ids, and are not confused,"
                    + " also if authors are pushed and pulled")
    void awkwardIdsOfBothKinds(Policy policy) {
        throughEverything(policy);
    }

    private void throughEverything(Policy policy) {
        FeedEngine engine = engine(policy);
        List<String> ids = new ArrayList<>(Samples.AWKWARD_IDS);
        ids.addAll(List.of(
                "42",
                "340282366920938463463374607431768211455",
                "123e4567-e89b-12d3-a456-426614174000",
                "123E4567-E89B-12D3-A456-426614174000"));
        for (String id : ids) {
            follow(engine, "reader-" + ids.indexOf(id), id);
            follow(engine, id, "author");
            visit(engine, id);
        }
        List<Post> byAwkward =
                ids.stream().map(id -> Post.of(id, id, Samples.EPOCH)).toList();
        publish(engine, byAwkward);
        publish(engine, posts("author", 2));
        for (int i = 0; i < ids.size(); i++) {
            assertThat(feed(engine, "reader-" + i))
                    .as("posts by %s", ids.get(i))
                    .containsExactly(byAwkward.get(i));
            assertThat(feed(engine, ids.get(i)))
                    .as("feed of %s", ids.get(i))
                    .isEqualTo(newestFirst(posts("author", 2)));
        }
    }

    @Test
    @DisplayName(
            "84: an unreachable source of truth is a typed error, reads replace an unreachable inbox by the outboxes,"
                    + " and a repeated publish loses and repeats nothing")
    void unreachable() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        store.before("outbox.append", () -> {
            throw new StoreUnavailableException("outbox.append", null);
        });
        assertThatThrownBy(() -> engine.publish(post(BOB, 1))).isInstanceOf(StoreUnavailableException.class);
        store.after("outbox.append", () -> {
            throw new StoreUnavailableException("outbox.append", null);
        });
        assertThatThrownBy(() -> engine.publish(post(BOB, 1))).isInstanceOf(StoreUnavailableException.class);
        engine.publish(post(BOB, 1));
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 1));
        store.before("inbox.slice", () -> {
            throw new StoreUnavailableException("inbox.slice", null);
        });
        store.before("outbox.page", () -> {
            throw new StoreUnavailableException("outbox.page", null);
        });
        assertThatThrownBy(() -> feed(engine, ANN)).isInstanceOf(StoreUnavailableException.class);
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 1));
        store.before("inbox.slice", () -> {
            throw new StoreUnavailableException("inbox.slice", null);
        });
        assertThat(feed(engine, ANN))
                .as("read from the outboxes while the inbox store is down")
                .containsExactly(post(BOB, 1));
    }

    @Test
    @DisplayName("85: push, pull, hybrid and active give the same pages, and the same end, for the same input")
    void identicalPages() {
        Map<Policy, List<String>> pages = new EnumMap<>(Policy.class);
        for (Policy policy : Policy.values()) {
            pages.put(policy, pagesUnder(policy));
        }
        assertThat(pages.get(Policy.PUSH)).hasSizeGreaterThan(20);
        assertThat(pages.values()).containsOnly(pages.get(Policy.PUSH));
    }

    /** Plays the same input under names of this policy, and returns the pages without these names. */
    private List<String> pagesUnder(Policy policy) {
        FeedEngine engine = engine(policy, 20);
        String prefix = policy.name() + "-";
        List<String> readers = List.of(ANN, DAN, YAN, ZOE);
        List<String> authors = List.of(BOB, CAT, "eve");
        for (int i = 0; i < readers.size(); i++) {
            for (int j = 0; j <= i % 3; j++) {
                follow(engine, prefix + readers.get(i), prefix + authors.get(j));
            }
            visit(engine, prefix + readers.get(i));
        }
        Random random = new Random(8);
        for (int n = 0; n < 100; n++) {
            String author = prefix + authors.get(random.nextInt(3));
            publish(engine, Post.of(author, "p" + n, Samples.EPOCH + random.nextInt(60)));
        }
        List<String> pages = new ArrayList<>();
        for (String reader : readers) {
            Optional<Cursor> next = Optional.empty();
            do {
                PageRequest request =
                        next.map(cursor -> PageRequest.older(cursor, 7)).orElse(PageRequest.first(7));
                FeedPage<Post> page = engine.read(prefix + reader, request);
                pages.add((names(page.items()) + " " + page.older().isPresent()).replace(prefix, ""));
                next = page.older();
            } while (next.isPresent());
        }
        return pages;
    }

    @Test
    @DisplayName("86: no post is lost or repeated when an author crosses the threshold up, down and up again")
    void crossing() {
        FeedEngine engine = engine(Policy.HYBRID, 20);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        List<String> crowd = List.of(CAT, DAN, YAN, ZOE);
        int published = 0;
        for (int round = 0; round < 4; round++) {
            publish(engine, posts(BOB, published + 3).subList(published, published + 3));
            published += 3;
            assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, published)));
            crowd.forEach(reader -> engine.follow(reader, BOB));
            publish(engine, posts(BOB, published + 4).subList(published, published + 4));
            published += 4;
            assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).containsKey(BOB);
            assertThat(walk(engine, ANN, 3)).isEqualTo(newestFirst(posts(BOB, published)));
            crowd.forEach(reader -> engine.unfollow(reader, BOB));
        }
        publish(engine, post(BOB, ++published));
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        assertThat(walk(engine, ANN, 3)).isEqualTo(newestFirst(posts(BOB, published)));
    }
}
