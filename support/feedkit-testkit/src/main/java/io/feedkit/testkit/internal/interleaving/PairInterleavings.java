package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.forwarding.InterleavingStore.ANY;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every two operations on one reader's feed. Another engine runs the second operation before every call of the first
 * one to the store, and after the last call. In any order, the final feed must agree with follows and posts. The place
 * after a call is not tried, because it is equivalent to the place before the next call: the engines share nothing but
 * the store.
 */
public abstract class PairInterleavings extends FeedRules {

    private static final int CAP = 10;

    private int prepared;

    protected PairInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    /** An operation of an engine on the reader of a scene. */
    enum Operation {
        PUBLISH,
        PUBLISH_MANY,
        PUBLISH_LATE,
        DELETE,
        FOLLOW,
        UNFOLLOW,
        FOLLOW_AGAIN,
        READ,
        REBUILD,
        REFRESH,
        LOSE_INBOX,
        RETRY_FINISHED;

        void run(FeedEngine engine, Scene scene) {
            switch (this) {
                case PUBLISH -> publish(engine, scene.newPost());
                case PUBLISH_MANY -> publish(engine, scene.newPosts());
                case PUBLISH_LATE -> publish(engine, scene.latePost());
                case DELETE -> {
                    engine.delete(scene.bob(), "p0003");
                    engine.fanout().drain();
                }
                case FOLLOW -> engine.follow(scene.ann(), scene.dan());
                case UNFOLLOW -> engine.unfollow(scene.ann(), scene.cat());
                case FOLLOW_AGAIN -> {
                    engine.unfollow(scene.ann(), scene.bob());
                    engine.follow(scene.ann(), scene.bob());
                }
                case READ -> walk(engine, scene.ann(), 3);
                case REBUILD -> engine.rebuild(scene.ann());
                case REFRESH -> engine.refresh(scene.ann());
                case LOSE_INBOX -> scene.inboxLost().run();
                case RETRY_FINISHED -> {
                    engine.fanout().replayFinished(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON);
                    engine.fanout().drain();
                }
            }
        }

        void expect(Scene scene, List<Post> feed) {
            switch (this) {
                case PUBLISH -> feed.add(scene.newPost());
                case PUBLISH_MANY -> feed.addAll(scene.newPosts());
                case PUBLISH_LATE -> feed.add(scene.latePost());
                case DELETE -> feed.remove(post(scene.bob(), 3));
                case FOLLOW -> feed.addAll(posts(scene.dan(), 4));
                case UNFOLLOW -> feed.removeIf(post -> post.author().equals(scene.cat()));
                default -> {}
            }
        }
    }

    /** One reader with three authors, under names of their own, so that many scenes fit into one store. */
    record Scene(int number, Runnable inboxLost) {

        String ann() {
            return "ann" + number;
        }

        String bob() {
            return "bob" + number;
        }

        String cat() {
            return "cat" + number;
        }

        String dan() {
            return "dan" + number;
        }

        Post newPost() {
            return post(bob(), 30);
        }

        List<Post> newPosts() {
            return posts(bob(), 29).subList(9, 29);
        }

        Post latePost() {
            return Post.of(bob(), "late", Samples.EPOCH + 2);
        }

        List<Post> feed() {
            List<Post> feed = new ArrayList<>(posts(bob(), 5));
            feed.addAll(posts(cat(), 5));
            return feed;
        }
    }

    /** Every ordered pair, under every policy. */
    static Stream<Arguments> pairs() {
        return Arrays.stream(Policy.values())
                .flatMap(policy -> Arrays.stream(Operation.values())
                        .flatMap(first -> Arrays.stream(Operation.values())
                                .filter(second -> first != second)
                                .map(second -> Arguments.of(policy, first, second))));
    }

    /**
     * Every ordered pair under one policy: every operation comes first under every policy, and second under every
     * policy.
     */
    static Stream<Arguments> pairsOnce() {
        return pairs().filter(PairInterleavings::isFirst);
    }

    /** The pairs under the other policies. */
    static Stream<Arguments> pairsAgain() {
        return pairs().filter(arguments -> !isFirst(arguments));
    }

    /** Three in five of the ordered pairs, each under one policy. */
    static Stream<Arguments> sample() {
        return pairsOnce().filter(arguments -> (3 * first(arguments) + 2 * second(arguments)) % 5 < 3);
    }

    private static boolean isFirst(Arguments arguments) {
        List<Policy> policies = List.of(Policy.values());
        return policies.indexOf(arguments.get()[0]) == (first(arguments) + second(arguments)) % policies.size();
    }

    private static int first(Arguments arguments) {
        return List.of(Operation.values()).indexOf(arguments.get()[1]);
    }

    private static int second(Arguments arguments) {
        return List.of(Operation.values()).indexOf(arguments.get()[2]);
    }

    @ParameterizedTest(name = "{0}: {1}, and at some of its calls {2}")
    @MethodSource("sample")
    @DisplayName("two operations on one feed give the same feed however they interleave, in a sample")
    void interleavedAtSomeCalls(Policy policy, Operation first, Operation second) {
        interleave(policy, first, second, calls -> someCalls(calls, policy, first, second));
    }

    @Exhaustive
    @ParameterizedTest(name = "{0}: {1}, and at each of its calls {2}")
    @MethodSource("pairsOnce")
    @DisplayName("two operations on one feed give the same feed however they interleave")
    void interleaved(Policy policy, Operation first, Operation second) {
        interleave(policy, first, second, FeedRules::everyCall);
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest(name = "{0}: {1}, and at each of its calls {2}")
    @MethodSource("pairsAgain")
    @DisplayName("two operations on one feed give the same feed however they interleave, under the other policies")
    void interleavedUnderOtherPolicies(Policy policy, Operation first, Operation second) {
        interleave(policy, first, second, FeedRules::everyCall);
    }

    private void interleave(
            Policy policy, Operation first, Operation second, IntFunction<List<Integer>> interruptedCalls) {
        FeedEngine one = open(builder(policy).cap(CAP));
        FeedEngine other = open(builder(policy).cap(CAP));
        Scene alone = prepare(one, 1).get(0);
        int before = store.calls(ANY);
        first.run(one, alone);
        int calls = store.calls(ANY) - before;
        int unchanged = readsUnchangedBy(() -> second.run(other, alone));
        check(policy, alone, first, second, one, other, "was followed by");
        interruptEach(interruptedCalls.apply(calls), calls, unchanged, count -> prepare(one, count), (call, scene) -> {
            AtomicInteger reads = new AtomicInteger();
            store.before(ANY, call, () -> reads.set(readsUnchangedBy(() -> second.run(other, scene))));
            first.run(one, scene);
            check(policy, scene, first, second, one, other, "was interrupted before call " + call + " by");
            return reads.get();
        });
    }

    /** Prepares several scenes at once, which takes few calls. */
    private List<Scene> prepare(FeedEngine engine, int count) {
        InboxLimits limits = new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        List<Scene> scenes = IntStream.range(prepared, prepared + count)
                .mapToObj(number -> new Scene(number, () -> store.inbox(limits).drop(List.of(ANN + number))))
                .toList();
        prepared += count;
        connect(scenes.stream()
                .flatMap(scene -> Stream.of(
                        new Edge(scene.ann(), scene.bob()),
                        new Edge(scene.ann(), scene.cat()),
                        new Edge(YAN, scene.bob()),
                        new Edge(ZOE, scene.bob())))
                .toList());
        List<Post> posts = new ArrayList<>();
        for (Scene scene : scenes) {
            visit(engine, scene.ann());
            posts.addAll(scene.feed());
            posts.addAll(posts(scene.dan(), 4));
        }
        publish(engine, posts);
        return scenes;
    }

    private static void check(
            Policy policy,
            Scene scene,
            Operation first,
            Operation second,
            FeedEngine one,
            FeedEngine other,
            String when) {
        List<Post> expected = scene.feed();
        Set.of(first, second).forEach(operation -> operation.expect(scene, expected));
        for (FeedEngine engine : List.of(one, other)) {
            engine.fanout().drain();
            assertThat(names(walk(engine, scene.ann(), engine == one ? 7 : ALL)))
                    .as("feed after %s %s %s", first, when, second)
                    .isEqualTo(names(newestFirst(expected)));
        }
        if (policy == Policy.PUSH) {
            assertThat(one.refresh(scene.ann()))
                    .as("posts that were left out of the inbox after %s %s %s", first, when, second)
                    .isZero();
        }
    }
}
