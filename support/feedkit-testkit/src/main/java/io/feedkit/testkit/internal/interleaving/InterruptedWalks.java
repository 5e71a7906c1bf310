package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.forwarding.InterleavingStore.ANY;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Walks through a feed during an event: another engine, or the walking engine itself, changes something between two
 * calls to the store.
 */
abstract class InterruptedWalks extends FeedRules {

    static final int CAP = 10;
    private static final int PAGE = 4;
    private static final int POSTS = 9;

    InterruptedWalks(FeedStoreKit kit) {
        super(kit);
    }

    /** The event during the walk. */
    enum Event {
        NEW_POSTS_TRIM_THE_INBOX,
        LATE_POST,
        DELETE,
        UNFOLLOW,
        FOLLOW,
        INBOX_LOST,
        INBOX_REBUILT,
        INBOX_REFRESHED,
        AUTHOR_GROWS,
        AUTHOR_SHRINKS,
        EVERYBODY_PULLED,
        FINISHED_TASKS_AGAIN
    }

    /** One reader with three authors, under names of their own, so that many scenes fit into one store. */
    record Scene(String ann, String bob, String cat, String dan) {
        Scene(int number) {
            this(ANN + number, BOB + number, CAT + number, DAN + number);
        }
    }

    private int scenes;

    /** Every event, under every policy. */
    static Stream<Arguments> walks() {
        return Arrays.stream(Policy.values())
                .flatMap(policy -> Arrays.stream(Event.values()).map(event -> Arguments.of(policy, event)));
    }

    /**
     * The events that a thread of the same engine can cause while another thread reads a page. Rebuilds are left out:
     * two threads that build the same inbox would wait for each other.
     */
    static Stream<Arguments> walksWithoutBuilding() {
        return walks().filter(InterruptedWalks::isWithoutBuilding);
    }

    private static boolean isWithoutBuilding(Arguments arguments) {
        return !Set.of(Event.INBOX_LOST, Event.INBOX_REBUILT)
                .contains((Event) arguments.get()[1]);
    }

    /** A walk through all of a reader's feed, whose posts come newest first. */
    interface WholeWalk {
        List<Post> of(FeedEngine engine, String reader);

        /** The seen posts that must be in the order of the feed. */
        default List<Post> inOrder(List<Post> seen, List<Post> atStart) {
            return seen;
        }
    }

    /** A walk upwards. Posts that arrive below the cursor come on a later page. */
    private record Upwards(Cursor bottom) implements WholeWalk {
        @Override
        public List<Post> of(FeedEngine engine, String reader) {
            return reversed(climb(engine, reader, bottom, PAGE));
        }

        @Override
        public List<Post> inOrder(List<Post> seen, List<Post> atStart) {
            return seen.stream().filter(atStart::contains).toList();
        }
    }

    static List<Post> down(FeedEngine engine, String reader) {
        return walk(engine, reader, PAGE);
    }

    static WholeWalk up() {
        return new Upwards(Samples.bottom());
    }

    /** Interrupts before and after each call, because the engine's caches may differ between the two. */
    final void onOneEngine(Policy policy, Event event, WholeWalk walk) {
        FeedEngine engine = engine(policy, CAP);
        int calls = uninterrupted(event, engine, engine, walk).calls();
        for (Place place : Place.values()) {
            engine.usePolicy(policy.fanout());
            Iterator<Scene> prepared = prepare(engine, calls).iterator();
            for (int call : everyCall(calls)) {
                engine.usePolicy(policy.fanout());
                interrupted(event, engine, engine, walk, prepared.next(), place, call);
            }
        }
    }

    /** On which side of a call a walk is interrupted. */
    enum Place {
        BEFORE,
        AFTER
    }

    /**
     * A walk without an event: the number of its calls, and how many of the last calls were reads whose answers the
     * event, after the walk, did not change.
     */
    record Uninterrupted(int calls, int unchangedReads) {}

    final Uninterrupted uninterrupted(Event event, FeedEngine walker, FeedEngine other, WholeWalk walk) {
        Scene scene = prepare(walker, 1).get(0);
        List<Post> atStart = feed(walker, scene.ann());
        int before = store.calls(ANY);
        List<Post> seen = walk.of(walker, scene.ann());
        int calls = store.calls(ANY) - before;
        int unchanged = readsUnchangedBy(() -> happen(event, other, scene));
        check(scene, other, "never", atStart, seen, walk);
        return new Uninterrupted(calls, unchanged);
    }

    final int interrupted(
            Event event, FeedEngine walker, FeedEngine other, WholeWalk walk, Scene scene, Place place, int call) {
        List<Post> atStart = feed(walker, scene.ann());
        AtomicInteger reads = new AtomicInteger();
        Runnable happening = () -> reads.set(readsUnchangedBy(() -> happen(event, other, scene)));
        if (place == Place.BEFORE) {
            store.before(ANY, call, happening);
        } else {
            store.after(ANY, call, happening);
        }
        List<Post> seen = walk.of(walker, scene.ann());
        check(scene, other, place + " call " + call, atStart, seen, walk);
        return reads.get();
    }

    private static void check(
            Scene scene, FeedEngine other, String when, List<Post> atStart, List<Post> seen, WholeWalk walk) {
        Set<Post> still = Set.copyOf(feed(other, scene.ann()));
        List<Post> inOrder = walk.inOrder(seen, atStart);
        assertThat(inOrder).as("walk interrupted %s", when).isEqualTo(newestFirst(inOrder));
        assertThat(names(seen))
                .as("walk interrupted %s", when)
                .doesNotHaveDuplicates()
                .containsAll(names(atStart.stream().filter(still::contains).toList()));
    }

    /** Prepares several scenes at once, which takes few calls. */
    final List<Scene> prepare(FeedEngine engine, int count) {
        List<Scene> prepared =
                IntStream.range(scenes, scenes + count).mapToObj(Scene::new).toList();
        scenes += count;
        connect(prepared.stream()
                .flatMap(scene -> Stream.of(
                        new Edge(scene.ann(), scene.bob()),
                        new Edge(scene.ann(), scene.cat()),
                        new Edge(ZOE, scene.cat()),
                        new Edge(YAN, scene.cat())))
                .toList());
        List<Post> posts = new ArrayList<>();
        for (Scene scene : prepared) {
            visit(engine, scene.ann());
            posts.addAll(posts(scene.bob(), POSTS));
            posts.addAll(posts(scene.cat(), POSTS));
            posts.addAll(posts(scene.dan(), 3));
        }
        publish(engine, posts);
        return prepared;
    }

    private void happen(Event event, FeedEngine engine, Scene scene) {
        act(event, engine, scene);
        visit(engine, ZOE);
    }

    private void act(Event event, FeedEngine engine, Scene scene) {
        switch (event) {
            case NEW_POSTS_TRIM_THE_INBOX ->
                publish(engine, posts(scene.bob(), 40).subList(POSTS, 40));
            case LATE_POST -> publish(engine, Post.of(scene.bob(), "late", Samples.EPOCH + 2));
            case DELETE -> {
                engine.delete(scene.bob(), "p0006");
                engine.delete(scene.cat(), "p0008");
                engine.fanout().drain();
            }
            case UNFOLLOW -> engine.unfollow(scene.ann(), scene.cat());
            case FOLLOW -> engine.follow(scene.ann(), scene.dan());
            case INBOX_LOST ->
                store.inbox(new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()))
                        .drop(List.of(scene.ann()));
            case INBOX_REBUILT -> engine.rebuild(scene.ann());
            case INBOX_REFRESHED -> engine.refresh(scene.ann());
            case AUTHOR_GROWS -> {
                follow(engine, ZOE, scene.bob());
                follow(engine, YAN, scene.bob());
                publish(engine, post(scene.bob(), POSTS + 1));
            }
            case AUTHOR_SHRINKS -> {
                engine.unfollow(ZOE, scene.cat());
                engine.unfollow(YAN, scene.cat());
                publish(engine, post(scene.cat(), POSTS + 1));
            }
            case EVERYBODY_PULLED -> {
                engine.usePolicy(Policy.PULL.fanout());
                publish(engine, post(scene.bob(), POSTS + 1));
            }
            case FINISHED_TASKS_AGAIN -> {
                engine.fanout().replayFinished(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON);
                engine.fanout().drain();
            }
        }
    }
}
