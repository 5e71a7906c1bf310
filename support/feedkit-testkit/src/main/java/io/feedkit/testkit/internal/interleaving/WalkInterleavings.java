package io.feedkit.testkit.internal.interleaving;

import static io.feedkit.testkit.forwarding.InterleavingStore.ANY;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A walk down a feed while another engine changes what can be changed, between any two pages and within any page at each call to the store: every
 * post that was there when the walk began, and still is at its end, is shown exactly once, in order.
 */
public abstract class WalkInterleavings extends FeedRules {

    private static final int CAP = 10;
    private static final int PAGE = 4;
    private static final int POSTS = 12;

    protected WalkInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    /** What happens during the walk. */
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

    static Stream<Arguments> walks() {
        return Arrays.stream(Policy.values())
                .flatMap(policy -> Arrays.stream(Event.values()).map(event -> Arguments.of(policy, event)));
    }

    /** What a thread of the same engine can do while another is inside of a page; two threads at one building inbox would wait for each other. */
    static Stream<Arguments> walksWithoutBuilding() {
        Set<Event> building = Set.of(Event.INBOX_LOST, Event.INBOX_REBUILT);
        return walks().filter(arguments -> !building.contains((Event) arguments.get()[1]));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walks")
    @DisplayName(
            "a walk shows what was there at its beginning exactly once, whatever another engine does at whatever call")
    void downwards(Policy policy, Event event) {
        interrupted(
                policy,
                event,
                engine(policy, CAP),
                engine(policy, CAP),
                reader -> engine -> walk(engine, reader, PAGE));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walksWithoutBuilding")
    @DisplayName(
            "a walk shows what was there at its beginning exactly once, whatever the same engine does at whatever call")
    void downwardsOnOneEngine(Policy policy, Event event) {
        FeedEngine engine = engine(policy, CAP);
        interrupted(policy, event, engine, engine, reader -> same -> walk(same, reader, PAGE));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walks")
    @DisplayName("catching up misses nothing that was there, whatever another engine does at whatever call")
    void upwards(Policy policy, Event event) {
        FeedEngine walker = engine(policy, CAP);
        Cursor bottom = walker.read("nobody", PageRequest.first(1)).newer();
        interrupted(
                policy,
                event,
                walker,
                engine(policy, CAP),
                reader -> engine -> reversed(climb(engine, reader, bottom, PAGE)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walksWithoutBuilding")
    @DisplayName("catching up misses nothing that was there, whatever the same engine does at whatever call")
    void upwardsOnOneEngine(Policy policy, Event event) {
        FeedEngine engine = engine(policy, CAP);
        Cursor bottom = engine.read("nobody", PageRequest.first(1)).newer();
        interrupted(policy, event, engine, engine, reader -> same -> reversed(climb(same, reader, bottom, PAGE)));
    }

    private void interrupted(
            Policy policy,
            Event event,
            FeedEngine walker,
            FeedEngine other,
            Function<String, Function<FeedEngine, List<Post>>> walkOf) {
        assumeWorthwhile(policy, event);
        int calls = 1;
        for (int call = 0; call <= 2 * calls; call = nextInterrupted(call, 2 * calls, policy, event)) {
            walker.usePolicy(policy.fanout());
            Scene scene = prepare(walker, call);
            List<Post> atStart = feed(walker, scene.ann());
            int before = store.calls(ANY);
            if (call > 0) {
                interrupt(call, () -> happen(event, other, scene));
            }
            List<Post> seen = walkOf.apply(scene.ann()).apply(walker);
            if (call == 0) {
                calls = store.calls(ANY) - before;
                happen(event, other, scene);
            }
            Set<Post> still = Set.copyOf(feed(other, scene.ann()));
            assertThat(names(seen))
                    .as("walk interrupted %s", place(call))
                    .doesNotHaveDuplicates()
                    .isEqualTo(names(newestFirst(seen)))
                    .containsAll(names(atStart.stream().filter(still::contains).toList()));
        }
    }

    private Scene prepare(FeedEngine engine, int number) {
        Scene scene = new Scene(number);
        follow(engine, scene.ann(), scene.bob(), scene.cat());
        follow(engine, ZOE, scene.cat());
        follow(engine, YAN, scene.cat());
        visit(engine, scene.ann());
        publish(engine, posts(scene.bob(), POSTS));
        publish(engine, posts(scene.cat(), POSTS));
        publish(engine, posts(scene.dan(), 3));
        return scene;
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
                engine.delete(scene.cat(), "p0010");
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
            case EVERYBODY_PULLED -> engine.usePolicy(Policy.PULL.fanout());
            case FINISHED_TASKS_AGAIN -> {
                engine.fanout().replayFinished(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON);
                engine.fanout().drain();
            }
        }
    }
}
