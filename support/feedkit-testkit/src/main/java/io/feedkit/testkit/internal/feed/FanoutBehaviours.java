package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.fault.ProcessCrash;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Publishing and fan-out: behaviours 1 to 15. */
public abstract class FanoutBehaviours extends FeedRules {

    protected FanoutBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private static List<Post> author(FeedEngine engine, String author) {
        return engine.readAuthor(author, PageRequest.first(ALL)).items();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("1: a post reaches the feed of each current follower exactly once, and no other feed")
    void eachFollowerOnce(Policy policy) {
        FeedEngine engine = engine(policy);
        List<String> followers = List.of(ANN, CAT, DAN, YAN);
        followers.forEach(reader -> follow(engine, reader, BOB));
        follow(engine, ZOE, CAT);
        List.of(ANN, CAT, ZOE).forEach(reader -> visit(engine, reader));
        engine.unfollow(DAN, BOB);
        publish(engine, post(BOB, 1));
        for (String reader : List.of(ANN, CAT, YAN)) {
            assertThat(feed(engine, reader)).as("feed of %s", reader).containsExactly(post(BOB, 1));
        }
        for (String stranger : List.of(BOB, DAN, ZOE)) {
            assertThat(feed(engine, stranger)).as("feed of %s", stranger).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("2: after fan-out the author's outbox holds the post, and the followers' outboxes do not")
    void outboxes(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, post(BOB, 1));
        assertThat(author(engine, BOB)).containsExactly(post(BOB, 1));
        assertThat(author(engine, ANN)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("3: own posts are in the home feed at once if the option is on, and never if it is off")
    void ownPosts(Policy policy) {
        FeedEngine without = open(builder(policy).ownPosts(false));
        follow(without, BOB, CAT);
        visit(without, BOB);
        publish(without, post(CAT, 1));
        without.publish(post(BOB, 2));
        assertThat(feed(without, BOB)).containsExactly(post(CAT, 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("3: with the option, own posts show before any worker ran, in a live feed and in a new one")
    void ownPostsShown(Policy policy) {
        FeedEngine with = open(builder(policy).ownPosts(true));
        visit(with, BOB);
        with.publish(post(BOB, 1));
        assertThat(feed(with, BOB)).containsExactly(post(BOB, 1));
        with.publish(post(DAN, 2));
        assertThat(feed(with, DAN)).containsExactly(post(DAN, 2));
        with.fanout().drain();
        assertThat(feed(with, BOB)).containsExactly(post(BOB, 1));
        with.delete(BOB, post(BOB, 1).id());
        assertThat(feed(with, BOB)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("3: an own post that could not be delivered at once arrives with the task, also for an author without"
            + " followers")
    void ownPostsLater(Policy policy) {
        FeedEngine engine = open(builder(policy).ownPosts(true));
        visit(engine, BOB);
        store.before("inbox.deliver", () -> {
            throw new StoreUnavailableException("inbox.deliver", new IOException("connection reset"));
        });
        engine.publish(post(BOB, 1));
        assertThat(store.unreached()).isEmpty();
        engine.fanout().drain();
        assertThat(feed(engine, BOB)).containsExactly(post(BOB, 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("4: publishing the same post again changes nothing, and the answer says that it is known")
    void twice(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        assertThat(engine.publish(post(BOB, 1)).status()).isEqualTo(Published.Status.NEW);
        assertThat(engine.publish(post(BOB, 1)).status()).isEqualTo(Published.Status.SAME);
        engine.fanout().drain();
        Published later = engine.publish(Post.of(BOB, post(BOB, 1).id(), Samples.EPOCH + 500));
        assertThat(later).isEqualTo(new Published(Published.Status.SAME, post(BOB, 1)));
        assertThat(engine.fanout().drain()).isZero();
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 1));
        assertThat(author(engine, BOB)).containsExactly(post(BOB, 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("5: a batch that holds each post twice stores each once")
    void twiceInABatch(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        List<Post> doubled = new ArrayList<>(posts(BOB, 5));
        doubled.addAll(posts(BOB, 5));
        assertThat(engine.publishAll(doubled))
                .extracting(Published::status)
                .startsWith(Published.Status.NEW)
                .endsWith(Published.Status.SAME)
                .filteredOn(Published.Status.NEW::equals)
                .hasSize(5);
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 5)));
        assertThat(engine.importPosts(doubled)).extracting(Published::status).containsOnly(Published.Status.SAME);
    }

    @Test
    @DisplayName("6: an import with a post of the future is refused before anything is written; an empty import does"
            + " nothing")
    void importOfTheFuture() {
        FeedEngine engine = engine(Policy.PUSH);
        Post ahead = new Post(CAT, "ahead", clock().instant().plus(Duration.ofDays(1)));
        assertThatThrownBy(() -> engine.importPosts(List.of(post(BOB, 1), ahead)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(CAT);
        assertThat(author(engine, BOB)).isEmpty();
        assertThat(author(engine, CAT)).isEmpty();
        assertThat(engine.importPosts(List.of())).isEmpty();
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("6: imported posts of several authors are in every feed, and the answers have the order of the posts")
    void imported(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        follow(engine, ANN, CAT);
        visit(engine, ANN);
        follow(engine, DAN, CAT);
        List<Post> imported = new ArrayList<>(posts(BOB, 5));
        imported.addAll(posts(CAT, 5));
        Collections.shuffle(imported, new Random(1));
        assertThat(engine.importPosts(imported)).extracting(Published::post).isEqualTo(imported);
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(imported));
        assertThat(feed(engine, DAN)).isEqualTo(newestFirst(posts(CAT, 5)));
        assertThat(slice(ANN).posts().isEmpty()).isEqualTo(policy == Policy.PULL);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("7: publishing without followers succeeds, delivers nothing, and the post is in the author's outbox")
    void noFollowers(Policy policy) {
        FeedEngine engine = engine(policy);
        assertThat(engine.publish(post(BOB, 1)).status()).isEqualTo(Published.Status.NEW);
        engine.fanout().drain();
        assertThat(author(engine, BOB)).containsExactly(post(BOB, 1));
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(store.calls("inbox.deliver")).isZero();
    }

    @Tag("concurrency")
    @Test
    @DisplayName("7: the first follower of an author who publishes at the same time gets the post")
    void firstFollower() {
        FeedEngine engine = engine(Policy.PUSH);
        visit(engine, ANN);
        Race.beside(
                50,
                1,
                number -> engine.publish(post("author" + number, 1)),
                number -> engine.follow(ANN, "author" + number));
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).extracting(Post::author).hasSize(50).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("8: every follower gets each of many posts once, with several workers")
    void manyTasks(Policy policy) {
        fanOut(policy, 40, 24, 7);
    }

    @Exhaustive
    @Test
    @DisplayName("8: each of 200 followers gets each of 200 posts once, with several workers")
    void mostTasks() {
        fanOut(Policy.PUSH, 200, 200, 37);
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PUSH")
    @DisplayName("8: the same under the other policies")
    void mostTasksUnderOtherPolicies(Policy policy) {
        fanOut(policy, 200, 200, 37);
    }

    private void fanOut(Policy policy, int posts, int followers, int batch) {
        FeedEngine engine = open(builder(policy).fanout(fanout -> fanout.batchSize(batch)));
        FeedEngine helper = open(FeedEngine.builder(store)
                .clock(clock())
                .workers(2)
                .policy(policy.fanout())
                .fanout(fanout -> fanout.batchSize(batch * 3 / 2)));
        List<String> readers =
                IntStream.range(0, followers).mapToObj(i -> "r" + i).toList();
        connect(readers, BOB);
        readers.forEach(reader -> visit(engine, reader));
        List<Post> all = posts(BOB, posts);
        for (int i = 0; i < posts; i += 20) {
            engine.publishAll(all.subList(i, i + 20));
        }
        helper.fanout().drain();
        engine.fanout().drain();
        for (String reader : readers) {
            assertThat(feed(engine, reader)).as("feed of %s", reader).isEqualTo(newestFirst(all));
        }
    }

    @Test
    @DisplayName("9: a task claimed by a worker that died is done after the lease, without a second entry")
    void deadWorker() {
        FeedEngine engine = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(kit.shortTime())));
        FeedEngine other = open(builder(Policy.PUSH).fanout(fanout -> fanout.lease(kit.shortTime())));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        engine.publish(post(BOB, 1));
        store.after("inbox.deliver", ProcessCrash.NOW);
        assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(ProcessCrash.class);
        assertThat(other.fanout().drain())
                .as("tasks claimed while the lease runs")
                .isZero();
        kit.pass(kit.shortTime().plusMillis(2));
        assertThat(other.fanout().drain()).isEqualTo(1);
        assertThat(feed(other, ANN)).containsExactly(post(BOB, 1));
        assertThat(other.fanout().backlog().tasks()).isZero();
    }

    @Test
    @DisplayName("10: a task recorded by one engine is done by another")
    void otherEngine() {
        FeedEngine publisher = engine(Policy.PUSH);
        FeedEngine worker = engine(Policy.PUSH);
        follow(publisher, ANN, BOB);
        visit(publisher, ANN);
        publisher.publish(post(BOB, 1));
        assertThat(worker.fanout().drain()).isEqualTo(1);
        assertThat(feed(publisher, ANN)).containsExactly(post(BOB, 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "11: fan-out of a post that was deleted before, or to a reader whose data was deleted, is dropped without"
                    + " error")
    void deletedBeforeFanout(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB);
        follow(engine, CAT, BOB);
        visit(engine, ANN);
        visit(engine, CAT);
        engine.publishAll(posts(BOB, 2));
        engine.delete(BOB, post(BOB, 1).id());
        engine.forget(CAT);
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 2));
        assertThat(feed(engine, CAT)).isEmpty();
        assertThat(engine.fanout().backlog().deadLetters()).isZero();
        assertThat(engine.publish(post(BOB, 1)).status()).isEqualTo(Published.Status.DELETED);
    }

    @Test
    @DisplayName("13: tasks are kept and counted while no worker runs; none is lost when a worker starts")
    void longQueue() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        List<Post> all = posts(BOB, 900);
        for (int i = 0; i < 900; i += 300) {
            engine.publishAll(all.subList(i, i + 300));
        }
        assertThat(engine.fanout().backlog().tasks()).isEqualTo(900);
        assertThat(feed(engine, ANN)).isEmpty();
        FeedEngine later = engine(Policy.PUSH);
        assertThat(later.fanout().drain()).isEqualTo(900);
        assertThat(feed(later, ANN)).isEqualTo(newestFirst(all));
    }

    @ParameterizedTest(name = "at delivery {0}")
    @ValueSource(ints = {1, 2, 3, 4})
    @DisplayName("14: a crash between two chunks of followers skips no follower and repeats none")
    void crashBetweenChunks(int delivery) {
        FeedEngine engine =
                open(builder(Policy.PUSH).fanout(fanout -> fanout.batchSize(5).lease(kit.shortTime())));
        List<String> readers =
                IntStream.range(0, 20).mapToObj(i -> String.format("r%02d", i)).toList();
        readers.forEach(reader -> follow(engine, reader, BOB));
        readers.forEach(reader -> visit(engine, reader));
        engine.publish(post(BOB, 1));
        store.after("inbox.deliver", delivery, ProcessCrash.NOW);
        assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(ProcessCrash.class);
        kit.pass(kit.shortTime().plusMillis(2));
        engine.fanout().drain();
        for (String reader : readers) {
            assertThat(slice(reader).posts()).as("inbox of %s", reader).containsExactly(post(BOB, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("15: a follower added or removed during a fan-out gets the feed that matches the follow graph")
    void followersChange(Policy policy) {
        FeedEngine engine = open(builder(policy).fanout(fanout -> fanout.batchSize(5)));
        FeedEngine other = engine(policy);
        List<String> readers =
                IntStream.range(0, 20).mapToObj(i -> String.format("r%02d", i)).toList();
        readers.forEach(reader -> visit(engine, reader));
        readers.subList(0, 15).forEach(reader -> follow(engine, reader, BOB));
        engine.publish(post(BOB, 1));
        store.before(
                "fanout.finish",
                () -> readers.forEach(reader -> {
                    if (reader.endsWith("1")) {
                        other.unfollow(reader, BOB);
                    } else {
                        other.follow(reader, BOB);
                    }
                }));
        engine.fanout().drain();
        for (String reader : readers) {
            List<Post> expected = reader.endsWith("1") ? List.of() : List.of(post(BOB, 1));
            assertThat(feed(engine, reader)).as("feed of %s", reader).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("9: two workers never hold the same task at once")
    void oneHolder() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        engine.publishAll(posts(BOB, 10));
        List<Claim> held = store.outbox().fanout().claim(4, FeedEngineBuilder.DEFAULT_LEASE.toMillis());
        assertThat(held).hasSize(4);
        assertThat(engine.fanout().drain()).isEqualTo(6);
    }
}
