package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FollowCounts;
import io.feedkit.FollowPage;
import io.feedkit.Post;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Following and unfollowing: behaviours 49 to 56, and 59. */
public abstract class FollowBehaviours extends FeedRules {

    protected FollowBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private static List<Post> bobsAndCats(int bobs, int cats) {
        List<Post> posts = new ArrayList<>(posts(BOB, bobs));
        posts.addAll(posts(CAT, cats));
        return newestFirst(posts);
    }

    private FeedEngine prepared(Policy policy, int cap) {
        return prepared(engine(policy, cap));
    }

    private FeedEngine onHostGraph(Policy policy, int cap) {
        connect(List.of(ANN), DAN);
        return prepared(open(hostGraphBuilder(policy).cap(cap)));
    }

    private FeedEngine prepared(FeedEngine engine) {
        visit(engine, ANN);
        publish(engine, posts(BOB, 30));
        publish(engine, posts(CAT, 30));
        return engine;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("49: a follow brings the author's posts into the feed, merged in order, and the newest into the inbox")
    void follow(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        engine.follow(ANN, BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 30)));
        engine.follow(ANN, CAT);
        assertThat(feed(engine, ANN)).isEqualTo(bobsAndCats(30, 30));
        assertThat(walk(engine, ANN, 7)).isEqualTo(bobsAndCats(30, 30));
        assertThat(slice(ANN).posts().size()).isLessThanOrEqualTo(11);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("50, 56: an unfollow removes that author's posts, old ones too, and no others")
    void unfollow(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        follow(engine, ANN, BOB, CAT);
        assertThat(engine.unfollow(ANN, BOB)).isTrue();
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 30)));
        assertThat(walk(engine, ANN, 7)).isEqualTo(newestFirst(posts(CAT, 30)));
        publish(engine, post(BOB, 31), post(CAT, 31));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 31)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "51: an unfollow keeps a post that is published in a topic or list too, which the reader still follows")
    void otherSource(Policy policy) {
        FeedEngine engine = engine(policy);
        visit(engine, ANN);
        follow(engine, ANN, BOB, "topic:java");
        Post inTopic = Post.of("topic:java", "p0001", Samples.EPOCH + 1);
        publish(engine, post(BOB, 1), inTopic, post(BOB, 2));
        engine.unfollow(ANN, BOB);
        assertThat(feed(engine, ANN)).containsExactly(inTopic);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "52: following again, following oneself and unfollowing a stranger have defined answers and change nothing")
    void noChange(Policy policy) {
        FeedEngine engine = open(builder(policy).ownPosts(true));
        visit(engine, ANN);
        publish(engine, posts(BOB, 3));
        publish(engine, post(ANN, 2));
        assertThat(engine.follow(ANN, BOB)).isTrue();
        List<Post> feed = feed(engine, ANN);
        assertThat(feed).hasSize(4);
        FollowCounts counts = engine.followCounts(ANN);
        assertThat(engine.follow(ANN, BOB)).isFalse();
        assertThat(engine.follow(ANN, ANN)).isFalse();
        assertThat(engine.unfollow(ANN, ANN)).isFalse();
        assertThat(engine.unfollow(ANN, CAT)).isFalse();
        assertThat(feed(engine, ANN)).isEqualTo(feed);
        assertThat(engine.refresh(ANN))
                .as("posts missing in the inbox")
                .isLessThanOrEqualTo(policy == Policy.PULL ? 4 : 0);
        assertThat(engine.followCounts(ANN)).isEqualTo(counts);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("53: a follow request that is pending in the host's graph delivers nothing until it is accepted")
    void pendingRequest(Policy policy) {
        FeedEngine engine = onHostGraph(policy, 100);
        WritableFollowGraph hostsTable = (WritableFollowGraph) store.graph();
        publish(engine, post(BOB, 31));
        assertThat(feed(engine, ANN)).isEmpty();
        hostsTable.add(List.of(new Edge(ANN, BOB)));
        engine.hostGraph().followed(ANN, BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 31)));
        hostsTable.remove(List.of(new Edge(ANN, BOB)));
        engine.hostGraph().unfollowed(ANN, BOB);
        assertThat(feed(engine, ANN)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "a follow or unfollow that is reported before its commit takes effect after the followee age, not before")
    void reportedBeforeCommit(Policy policy) {
        FeedEngine engine = onHostGraph(policy, 100);
        WritableFollowGraph hostsTable = (WritableFollowGraph) store.graph();
        engine.hostGraph().followed(ANN, BOB);
        assertThat(slice(ANN).posts()).isEmpty();
        assertThat(feed(engine, ANN)).isEmpty();
        hostsTable.add(List.of(new Edge(ANN, BOB)));
        kit.pass(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 30)));
        engine.hostGraph().unfollowed(ANN, BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 30)));
        hostsTable.remove(List.of(new Edge(ANN, BOB)));
        kit.pass(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(feed(engine, ANN)).isEmpty();
    }

    @Test
    @DisplayName("a follow reported twice around an unfollow does not hide a later follow that is not reported")
    void toldTwice() {
        FeedEngine engine = onHostGraph(Policy.PUSH, 100);
        WritableFollowGraph hostsTable = (WritableFollowGraph) store.graph();
        List<Edge> edge = List.of(new Edge(ANN, BOB));
        hostsTable.add(edge);
        engine.hostGraph().followed(ANN, BOB);
        AtomicBoolean first = new AtomicBoolean(true);
        store.before("outbox.newest", () -> {
            if (first.getAndSet(false)) {
                hostsTable.remove(edge);
                engine.hostGraph().unfollowed(ANN, BOB);
            }
        });
        engine.hostGraph().followed(ANN, BOB);
        assertThat(first).isFalse();
        hostsTable.add(edge);
        kit.pass(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 30)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("55: unfollow and follow again gives exactly what a fresh rebuild gives")
    void followAgain(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        follow(engine, ANN, BOB, CAT);
        engine.unfollow(ANN, BOB);
        publish(engine, post(BOB, 31), post(CAT, 31));
        engine.delete(BOB, "p0030");
        engine.fanout().drain();
        engine.follow(ANN, BOB);
        List<Post> again = walk(engine, ANN, 7);
        List<Post> expected = new ArrayList<>(bobsAndCats(31, 31));
        expected.remove(post(BOB, 30));
        assertThat(again).isEqualTo(expected);
        engine.rebuild(ANN);
        assertThat(walk(engine, ANN, 7)).isEqualTo(again);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("moved followers follow the other author instead, once; no reader follows themselves")
    void moveFollowers(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        publish(engine, posts(DAN, 5));
        follow(engine, ANN, BOB, CAT);
        follow(engine, YAN, BOB, DAN);
        follow(engine, ZOE, BOB);
        follow(engine, DAN, BOB);
        visit(engine, YAN);
        assertThat(engine.moveFollowers(BOB, DAN)).isEqualTo(4);
        assertThat(engine.followers(BOB, ALL).ids()).isEmpty();
        assertThat(engine.followers(DAN, ALL).ids()).containsExactly(ANN, YAN, ZOE);
        List<Post> expected = new ArrayList<>(posts(CAT, 30));
        expected.addAll(posts(DAN, 5));
        assertThat(walk(engine, ANN, 7)).isEqualTo(newestFirst(expected));
        assertThat(feed(engine, YAN)).isEqualTo(newestFirst(posts(DAN, 5)));
        assertThat(feed(engine, DAN)).isEmpty();
        publish(engine, post(BOB, 31), post(DAN, 6));
        assertThat(feed(engine, YAN)).isEqualTo(newestFirst(posts(DAN, 6)));
        assertThat(feed(engine, ZOE)).isEqualTo(newestFirst(posts(DAN, 6)));
        assertThat(slice(ANN).posts())
                .as("entries of the former author")
                .noneMatch(post -> post.author().equals(BOB));
        assertThat(engine.refresh(ANN)).as("posts missing in the inbox").isZero();
        assertThat(slice(ANN).pending()).isEmpty();
        assertThat(engine.moveFollowers(BOB, DAN)).isZero();
    }

    @Test
    @Tag("concurrency")
    @DisplayName("after moves amid concurrent publishes, follows and unfollows, each feed matches the graph")
    void movesAmidOthers() {
        FeedEngine engine = engine(Policy.PUSH);
        FeedEngine other = engine(Policy.PUSH);
        List<String> readers =
                IntStream.range(0, 12).mapToObj(i -> String.format("r%02d", i)).toList();
        connect(readers, BOB);
        readers.forEach(reader -> visit(engine, reader));
        List<Integer> ended = Race.run(4, thread -> {
            for (int i = 0; i < 6; i++) {
                switch (thread) {
                    case 0 -> engine.moveFollowers(i % 2 == 0 ? BOB : DAN, i % 2 == 0 ? DAN : BOB);
                    case 1 -> other.publishAll(List.of(post(BOB, 100 + i), post(DAN, 200 + i)));
                    case 2 -> engine.publishAll(List.of(post(DAN, 300 + i), post(BOB, 400 + i)));
                    default -> {
                        other.unfollow(readers.get(i), BOB);
                        other.follow(readers.get(i + 6), DAN);
                    }
                }
            }
            return thread;
        });
        assertThat(ended).hasSize(4);
        engine.fanout().drain();
        List<Post> posts = newestFirst(IntStream.range(0, 6)
                .boxed()
                .flatMap(i -> Stream.of(post(BOB, 100 + i), post(DAN, 200 + i), post(DAN, 300 + i), post(BOB, 400 + i)))
                .toList());
        for (String reader : readers) {
            Set<String> followed = engine.following(reader, List.of(BOB, DAN));
            List<Post> expected = posts.stream()
                    .filter(post -> followed.contains(post.author()))
                    .toList();
            assertThat(feed(engine, reader)).as(reader).isEqualTo(expected);
            assertThat(feed(other, reader)).as(reader).isEqualTo(expected);
            assertThat(engine.refresh(reader)).as("posts missing of %s", reader).isZero();
            assertThat(slice(reader).pending()).isEmpty();
        }
    }

    @Test
    @DisplayName("a move of hundreds of followers takes a few calls a batch, and no inbox call for those without inbox")
    void moveManyFollowers() {
        FeedEngine engine = engine(Policy.PUSH);
        publish(engine, posts(DAN, 3));
        List<String> readers =
                IntStream.range(0, 600).mapToObj(i -> String.format("r%03d", i)).toList();
        connect(readers, BOB);
        int before = store.calls(InterleavingStore.ANY);
        assertThat(engine.moveFollowers(BOB, DAN)).isEqualTo(600);
        assertThat(store.calls(InterleavingStore.ANY) - before).as("calls").isLessThanOrEqualTo(3 * 4);
        assertThat(store.calls("inbox.beginFollow")).isZero();
        readers.subList(0, 10).forEach(reader -> visit(engine, reader));
        int visited = store.calls(InterleavingStore.ANY);
        assertThat(engine.moveFollowers(DAN, BOB)).isEqualTo(600);
        assertThat(store.calls(InterleavingStore.ANY) - visited).as("calls").isLessThanOrEqualTo(3 * 4 + 8);
        assertThat(feed(engine, "r003")).isEmpty();
        assertThat(feed(engine, "r599")).isEmpty();
    }

    @Test
    @DisplayName("59: lists of followers and followees page stably and carry counts")
    void lists() {
        FeedEngine engine = engine(Policy.PUSH);
        List<String> users =
                IntStream.range(0, 25).mapToObj(i -> String.format("u%02d", i)).toList();
        users.forEach(user -> {
            engine.follow(user, BOB);
            engine.follow(ANN, user);
        });
        List<String> followers = new ArrayList<>();
        FollowPage page = engine.followers(BOB, 10);
        while (page.next().isPresent()) {
            followers.addAll(page.ids());
            engine.follow("a" + followers.size(), BOB);
            engine.unfollow(followers.get(0), BOB);
            page = engine.followers(BOB, page.next().get(), 10);
        }
        followers.addAll(page.ids());
        assertThat(followers).isEqualTo(users);
        assertThat(engine.followees(ANN, "u11", 3).ids()).containsExactly("u12", "u13", "u14");
        assertThat(engine.followCounts(ANN)).isEqualTo(new FollowCounts(0, 25));
        assertThat(engine.followCounts(BOB)).isEqualTo(new FollowCounts(26, 0));
        assertThat(engine.isFollowing(ANN, "u03")).isTrue();
        assertThat(engine.isFollowing("u03", ANN)).isFalse();
    }
}
