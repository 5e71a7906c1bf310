package io.feedkit.redis.internal.graph;

import static io.feedkit.redis.TestRedis.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.redis.TestRedis;
import io.feedkit.redis.internal.graph.EdgeWrite.DesiredState;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
@DisplayName("The steps of changes of one edge")
class EdgeStepsTest {

    private static final int STEPS = 3;
    private static final int EVERY = 11;

    private final TestRedis redis = new TestRedis();
    private final EdgeSteps steps = new EdgeSteps(redis.link(), redis.keys(), redis.timer());
    private final GraphKeys keys = new GraphKeys(redis.keys());
    private int edges;

    @AfterEach
    void close() {
        redis.close();
    }

    private static Stream<List<DesiredState>> histories() {
        return Stream.of(
                List.of(DesiredState.PRESENT, DesiredState.ABSENT),
                List.of(DesiredState.ABSENT, DesiredState.PRESENT),
                List.of(DesiredState.PRESENT, DesiredState.PRESENT),
                List.of(DesiredState.PRESENT, DesiredState.AS_IT_IS),
                List.of(DesiredState.AS_IT_IS, DesiredState.ABSENT),
                List.of(DesiredState.PRESENT, DesiredState.AS_IT_IS, DesiredState.ABSENT),
                List.of(DesiredState.PRESENT, DesiredState.ABSENT, DesiredState.PRESENT),
                List.of(DesiredState.ABSENT, DesiredState.PRESENT, DesiredState.ABSENT));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("histories")
    @DisplayName("in every order of two, and some of three, leave both sides as the reader's, and nothing open")
    void interleaved(List<DesiredState> desiredStates) {
        interleave(desiredStates, EVERY, 0);
    }

    @Tag("exhaustive")
    @ParameterizedTest(name = "{0}")
    @MethodSource("histories")
    @DisplayName("in every order of three writers, too, leave both sides as the reader's, and nothing open")
    void interleavedMore(List<DesiredState> desiredStates) {
        for (int other = 1; other < EVERY; other++) {
            interleave(desiredStates, EVERY, other);
        }
    }

    /** Runs all orders of two writers, and some of the 1680 orders of three. */
    private void interleave(List<DesiredState> desiredStates, int every, int offset) {
        List<List<Integer>> schedules = new ArrayList<>();
        schedules(new ArrayList<>(), desiredStates.size(), schedules);
        assertThat(schedules).hasSize(desiredStates.size() == 2 ? 20 : 1680);
        for (int i = offset; i < schedules.size(); i += desiredStates.size() == 2 ? 1 : every) {
            List<Integer> schedule = schedules.get(i);
            Edge edge = nextEdge();
            List<Writing> writings = desiredStates.stream()
                    .map(desired -> new Writing(edge, desired))
                    .toList();
            schedule.forEach(writer -> writings.get(writer).step());
            writings.forEach(Writing::finish);
            assertSettled(edge, present(edge), schedule.toString());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("histories")
    @DisplayName("by writers that die anywhere are ended by the next")
    void died(List<DesiredState> desiredStates) {
        for (int stops = 0; stops < 64; stops++) {
            Edge edge = nextEdge();
            List<Writing> writings = desiredStates.stream()
                    .map(desired -> new Writing(edge, desired))
                    .toList();
            for (int i = 0; i < writings.size(); i++) {
                for (int step = 0; step < (stops >> (2 * i) & 3); step++) {
                    writings.get(i).step();
                }
            }
            DesiredState last = desiredStates.get(desiredStates.size() - 1);
            new Writing(edge, last).finish();
            boolean expected = last == DesiredState.AS_IT_IS ? present(edge) : last == DesiredState.PRESENT;
            assertSettled(edge, expected, "stopped at " + stops);
        }
    }

    @Test
    @DisplayName("reach the author also if versions begin anew below those that the author was told")
    void versionsLost() {
        Edge edge = nextEdge();
        TestRedis.commands().set(text(keys.fence(edge)), "1 8000000000000000");
        new Writing(edge, DesiredState.PRESENT).finish();
        assertSettled(edge, true, "the fence is far ahead");
        new Writing(edge, DesiredState.ABSENT).finish();
        assertSettled(edge, false, "the fence is far ahead");
    }

    @Test
    @DisplayName("have versions above those before, also if the clock was set back")
    void clockSetBack() {
        Edge edge = nextEdge();
        TestRedis.commands().hset(text(keys.edges(edge.reader())), " last", "1 8000000000000000");
        Writing late = new Writing(edge, DesiredState.PRESENT);
        late.step();
        assertThat(late.change.version()).isEqualTo(8000000000000001L);
        new Writing(edge, DesiredState.ABSENT).finish();
        late.finish();
        assertSettled(edge, false, "the clock was set back");
    }

    @Test
    @DisplayName("leave nothing on the server but the two sides, unless they raced, and then a fence for an hour")
    void leftOver() {
        Edge edge = nextEdge();
        new Writing(edge, DesiredState.PRESENT).finish();
        String followees = text(keys.followees(edge.reader()));
        String followers = text(keys.followers(edge.author()));
        assertThat(redis.allKeys()).containsExactlyInAnyOrder(followees, followers);
        Writing first = new Writing(edge, DesiredState.ABSENT);
        first.step();
        new Writing(edge, DesiredState.PRESENT).finish();
        first.finish();
        String fence = text(keys.fence(edge));
        assertThat(redis.allKeys()).containsExactlyInAnyOrder(followees, followers, fence);
        assertThat(TestRedis.commands().pttl(fence)).isBetween(3_540_000L, 3_600_000L);
    }

    private Edge nextEdge() {
        edges++;
        return new Edge("reader-" + edges, "author-" + edges);
    }

    private boolean present(Edge edge) {
        return TestRedis.commands().zscore(text(keys.followees(edge.reader())), edge.author()) != null;
    }

    private void assertSettled(Edge edge, boolean present, String how) {
        assertThat(present(edge)).as("followee after %s", how).isEqualTo(present);
        assertThat(TestRedis.commands().zscore(text(keys.followers(edge.author())), edge.reader()) != null)
                .as("follower after %s", how)
                .isEqualTo(present);
        assertThat(TestRedis.commands().exists(text(keys.edges(edge.reader()))))
                .as("marks after %s", how)
                .isZero();
    }

    private static void schedules(List<Integer> begun, int writers, List<List<Integer>> all) {
        if (begun.size() == writers * STEPS) {
            all.add(List.copyOf(begun));
            return;
        }
        for (int writer = 0; writer < writers; writer++) {
            if (Collections.frequency(begun, writer) < STEPS) {
                begun.add(writer);
                schedules(begun, writers, all);
                begun.remove(begun.size() - 1);
            }
        }
    }

    /** What {@link EdgeWriter} does for one edge, step by step. */
    private final class Writing {

        private EdgeWrite intent;
        private EdgeWriteResult change;
        private boolean told;
        private boolean done;

        Writing(Edge edge, DesiredState desired) {
            intent = new EdgeWrite(edge, desired, 0);
        }

        void step() {
            if (change == null) {
                change = steps.change("test", List.of(intent)).get(0);
            } else if (!told) {
                long newer = steps.mirror("test", List.of(change)).get(0);
                told = newer == 0;
                if (!told) {
                    intent = new EdgeWrite(intent.edge(), DesiredState.AS_IT_IS, newer);
                    change = null;
                }
            } else {
                steps.settle("test", List.of(change));
                done = true;
            }
        }

        void finish() {
            while (!done) {
                step();
            }
        }
    }
}
