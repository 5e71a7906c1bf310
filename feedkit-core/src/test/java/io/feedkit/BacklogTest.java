package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
        "The backlog tells what is due from what waits on purpose, and its age is how long a post has been invisible:")
class BacklogTest {

    private static final Duration MOST = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Backlog NOTHING = Backlog.builder().build();

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<FanoutMode> modes = new ArrayList<>();
    private final FeedEngine engine = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .policy(FanoutPolicy.shedding(FanoutPolicy.push(), MOST))
            .listener(new FeedListener() {
                @Override
                public void published(PostPublished event) {
                    modes.add(event.mode());
                }
            })
            .build();

    @BeforeEach
    void follow() {
        engine.follow("ann", "bob");
        engine.read("ann", PageRequest.first(1));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Backlog backlog() {
        return engine.fanout().backlog();
    }

    private void publishAndDrain(int count) {
        IntStream.range(0, count).forEach(n -> engine.publish("bob", "p" + n));
        engine.fanout().drain();
        assertThat(backlog()).isEqualTo(NOTHING);
    }

    /** Whether a post is shed that is published now. */
    private boolean isShed() {
        clock.advance(Duration.ofSeconds(1));
        engine.publish("bob", "later");
        return modes.get(modes.size() - 1) == FanoutMode.PULL;
    }

    @Test
    @DisplayName("after a delete nothing is old, and its retraction is held back")
    void delete() {
        publishAndDrain(1);
        engine.delete("bob", "p0");
        clock.advance(LONG);
        assertThat(backlog())
                .as("not begun")
                .isEqualTo(Backlog.builder()
                        .due(1)
                        .byKind(Map.of(TaskKind.RETRACT, 1L))
                        .build());
        engine.fanout().drain();
        assertThat(backlog())
                .as("held back")
                .isEqualTo(Backlog.builder()
                        .deferred(1)
                        .byKind(Map.of(TaskKind.RETRACT_LATER, 1L))
                        .build());
        clock.advance(LONG);
        assertThat(backlog())
                .as("due")
                .isEqualTo(Backlog.builder()
                        .due(1)
                        .byKind(Map.of(TaskKind.RETRACT_LATER, 1L))
                        .build());
        assertThat(isShed()).isFalse();
        engine.fanout().drain();
        assertThat(backlog()).isEqualTo(NOTHING);
    }

    @Test
    @DisplayName("tasks that are done again are due, and age nothing")
    void doneAgain() {
        publishAndDrain(20);
        clock.advance(LONG);
        assertThat(engine.fanout().replayFinished(LONG.plus(LONG))).isEqualTo(20);
        clock.advance(LONG);
        assertThat(backlog())
                .isEqualTo(Backlog.builder()
                        .due(20)
                        .byKind(Map.of(TaskKind.PUSH, 20L))
                        .build());
        assertThat(isShed()).isFalse();
        clock.advance(LONG);
        assertThat(backlog().age()).as("by the new post alone").isEqualTo(LONG);
    }

    @Test
    @DisplayName("a post that cannot be pushed is deferred, and ages the backlog")
    void putOff() {
        store.fail("Inbox.deliver");
        engine.publish("bob", "p0");
        engine.fanout().drain();
        assertThat(backlog())
                .isEqualTo(Backlog.builder()
                        .deferred(1)
                        .byKind(Map.of(TaskKind.PUSH, 1L))
                        .build());
        clock.advance(LONG);
        engine.fanout().drain();
        assertThat(backlog())
                .isEqualTo(Backlog.builder()
                        .deferred(1)
                        .byKind(Map.of(TaskKind.PUSH, 1L))
                        .age(LONG)
                        .build());
        assertThat(isShed()).isTrue();
    }

    @Test
    @DisplayName("an author who catches up from being pulled ages nothing")
    void catchUp() {
        engine.usePolicy(author -> FanoutMode.PULL);
        publishAndDrain(3);
        engine.usePolicy(FanoutPolicy.shedding(FanoutPolicy.push(), MOST));
        engine.publish("bob", "pushed");
        store.before("FanoutLog.catchUp", () -> store.fail("Inbox.deliver"));
        engine.fanout().drain();
        clock.advance(LONG);
        assertThat(backlog())
                .isEqualTo(Backlog.builder()
                        .due(1)
                        .byKind(Map.of(TaskKind.CATCH_UP, 1L))
                        .build());
        assertThat(isShed()).isFalse();
    }
}
