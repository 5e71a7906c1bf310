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
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every two operations on one reader's feed, the second one run by another engine at every call that the first one makes to the store. Whatever
 * the order, the feed is in the end what follows and posts say.
 */
public abstract class PairInterleavings extends FeedRules {

    private static final int CAP = 10;

    protected PairInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    /** Something that an engine does about the reader of a scene. */
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

    static Stream<Arguments> pairs() {
        return Stream.of(Policy.PUSH, Policy.PULL, Policy.HYBRID, Policy.ACTIVE)
                .flatMap(policy -> Arrays.stream(Operation.values())
                        .flatMap(first -> Arrays.stream(Operation.values())
                                .filter(second -> first != second)
                                .map(second -> Arguments.of(policy, first, second))));
    }

    @ParameterizedTest(name = "{0}: {1}, and at each of its calls {2}")
    @MethodSource("pairs")
    @DisplayName("two operations on one feed give the same feed however they interleave")
    void interleaved(Policy policy, Operation first, Operation second) {
        assumeWorthwhile(policy, first, second);
        FeedEngine one = open(builder(policy).cap(CAP));
        FeedEngine other = open(builder(policy).cap(CAP));
        int calls = 1;
        for (int call = 0; call <= 2 * calls; call = nextInterrupted(call, 2 * calls, policy, first, second)) {
            Scene scene = prepare(one, call);
            int before = store.calls(ANY);
            if (call > 0) {
                interrupt(call, () -> second.run(other, scene));
            }
            first.run(one, scene);
            if (call == 0) {
                calls = store.calls(ANY) - before;
                second.run(other, scene);
            }
            check(scene, first, second, call, List.of(one, other));
            if (policy == Policy.PUSH) {
                assertThat(one.refresh(scene.ann()))
                        .as("posts that %s, interrupted by %s %s, left out of the inbox", first, second, place(call))
                        .isZero();
            }
        }
    }

    private Scene prepare(FeedEngine engine, int number) {
        InboxLimits limits = new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        Scene scene = new Scene(number, () -> store.inbox(limits).drop(List.of("ann" + number)));
        follow(engine, scene.ann(), scene.bob(), scene.cat());
        follow(engine, YAN, scene.bob());
        follow(engine, ZOE, scene.bob());
        visit(engine, scene.ann());
        publish(engine, posts(scene.bob(), 5));
        publish(engine, posts(scene.cat(), 5));
        publish(engine, posts(scene.dan(), 4));
        return scene;
    }

    private static void check(Scene scene, Operation first, Operation second, int call, List<FeedEngine> engines) {
        List<Post> expected = scene.feed();
        Set.of(first, second).forEach(operation -> operation.expect(scene, expected));
        for (FeedEngine engine : engines) {
            engine.fanout().drain();
            assertThat(names(walk(engine, scene.ann(), 4)))
                    .as("feed after %s was interrupted by %s %s", first, second, place(call))
                    .isEqualTo(names(newestFirst(expected)));
        }
    }
}
