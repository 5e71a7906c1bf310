package io.feedkit.internal.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.internal.fanout.FailureStreaks.Streak;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Streaks of failed tasks are bounded")
class FailureStreaksTest {

    private static Task task(int number, String after) {
        Position place = Position.of(Post.of("bob", "p", 1));
        return new Task("task-" + number, Kind.PUSH, place, place, 1, KeyRange.ALL, after, 0, 1);
    }

    private static ClaimedTask held(int number) {
        return new ClaimedTask(new Claim(task(number, ""), 1));
    }

    @Test
    @DisplayName("tasks that wait for a store: those that were forgotten count from one again")
    void outages() {
        FailureStreaks outages = new FailureStreaks();
        int last = 10 * FailureStreaks.MOST_TASKS - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            outages.count(held(n), 1);
            most = Math.max(most, outages.size());
        }
        assertThat(most).isEqualTo(FailureStreaks.MOST_TASKS);
        assertThat(outages.remember(held(0))).isFalse();
        assertThat(outages.count(held(last), 5)).isEqualTo(new Streak(2, 1));
        assertThat(outages.count(held(0), 5)).isEqualTo(new Streak(1, 5));
        assertThat(outages.count(held(0), 9)).isEqualTo(new Streak(2, 5));
        outages.reached(List.of(held(0)));
        assertThat(outages.remember(held(0))).isFalse();
        outages.count(held(1), 9);
        outages.reached(List.of(held(2)));
        assertThat(outages.isRecovery(100_000)).isTrue();
    }
}
