package io.feedkit.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.memory.InMemoryCounterStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Ready-made rankers")
class RankersTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RankContext CONTEXT = new RankContext("ann", NOW);

    private static Post post(String id, Duration age) {
        return new Post("bob", id, NOW.minus(age));
    }

    private static final Post NEW = post("new", Duration.ZERO);
    private static final Post HOUR = post("hour", Duration.ofHours(1));
    private static final Post DAY = post("day", Duration.ofHours(22));
    private static final List<Post> POSTS = List.of(NEW, HOUR, DAY);

    @Test
    @DisplayName("newest gives all posts one score")
    void newest() {
        assertThat(Rankers.newest().scores(POSTS, CONTEXT)).containsExactly(0, 0, 0);
    }

    @Test
    @DisplayName("hot divides the reactions, plus one, by the age in hours, plus two, to the power of the gravity")
    void hot() {
        List<List<Post>> asked = new ArrayList<>();
        Ranker hot = Rankers.hot(
                posts -> {
                    asked.add(posts);
                    return Map.of(HOUR, 8, DAY, 575L);
                },
                2);
        assertThat(hot.scores(POSTS, CONTEXT)).containsExactly(1 / 4.0, 1.0, 1.0);
        assertThat(asked).containsExactly(POSTS);
    }

    @Test
    @DisplayName("hot counts the age from now on: a post that is dated ahead is as old as a new one")
    void ahead() {
        Post ahead = post("ahead", Duration.ofHours(-10));
        double[] scores = Rankers.hot(posts -> Map.of(), 1.8).scores(List.of(ahead, NEW), CONTEXT);
        assertThat(scores[0]).isEqualTo(scores[1]).isCloseTo(Math.pow(2, -1.8), within(1e-9));
    }

    @Test
    @DisplayName("hot asks Reactions for all posts, by their ids, and sinks posts by 1.8")
    void reactions() {
        Reactions likes = Reactions.of(InMemoryCounterStore.create());
        likes.add("cat", "day");
        likes.add("dan", "day");
        likes.add("dan", "hour");
        double[] scores = Rankers.hot(likes).scores(POSTS, CONTEXT);
        assertThat(scores).containsExactly(1 / Math.pow(2, 1.8), 2 / Math.pow(3, 1.8), 3 / Math.pow(24, 1.8));
    }

    @Test
    @DisplayName("without gravity, hot ranks by reactions alone")
    void weightless() {
        assertThat(Rankers.hot(posts -> Map.of(DAY, 3), 0).scores(POSTS, CONTEXT))
                .containsExactly(1, 1, 4);
    }

    @Test
    @DisplayName("weighted gives each post its weight, and 0 to those without")
    void weighted() {
        Ranker weighted = Rankers.weighted(posts -> Map.of(NEW, -1.5, DAY, Double.POSITIVE_INFINITY));
        assertThat(weighted.scores(POSTS, CONTEXT)).containsExactly(-1.5, 0, Double.POSITIVE_INFINITY);
    }

    @Test
    @DisplayName("a function that returns null is named")
    void nothing() {
        assertThatThrownBy(() -> Rankers.weighted(posts -> null).scores(POSTS, CONTEXT))
                .hasMessage("weights must not be null");
        assertThatThrownBy(() -> Rankers.hot(posts -> null, 1).scores(POSTS, CONTEXT))
                .hasMessage("reactions must not be null");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 10.1, Double.NaN, Double.POSITIVE_INFINITY})
    @DisplayName("a gravity out of range is refused by name and value")
    void gravity(double bad) {
        assertThatThrownBy(() -> Rankers.hot(posts -> Map.of(), bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gravity must be between 0 and 10, but is " + bad);
    }
}
