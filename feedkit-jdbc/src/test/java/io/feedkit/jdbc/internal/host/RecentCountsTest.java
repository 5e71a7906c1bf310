package io.feedkit.jdbc.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FollowCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Remembered counts of followers")
class RecentCountsTest {

    private static final FollowCounts LARGE = new FollowCounts(10_000, 0);
    private static final FollowCounts LARGER = new FollowCounts(1_000_000, 0);
    private static final FollowCounts SMALL = new FollowCounts(9_999, 9_999);

    private final AtomicLong time = new AtomicLong();
    private final RecentCounts recent = new RecentCounts(time::get);

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }

    @Test
    @DisplayName("are made again by one caller after a minute, also if counts of others are asked for meanwhile")
    void again() {
        recent.counted(Map.of("star", LARGE, "few", SMALL));
        assertThat(recent.recent(List.of("star", "few", "unknown"))).isEqualTo(Map.of("star", LARGE));
        for (int i = 0; i < 3; i++) {
            pass(Duration.ofSeconds(19));
            assertThat(recent.recent(List.of("star", "few"))).isEqualTo(Map.of("star", LARGE));
            recent.counted(Map.of("few", SMALL));
        }
        pass(Duration.ofSeconds(3));
        assertThat(recent.recent(List.of("star"))).isEmpty();
        assertThat(recent.recent(List.of("star"))).isEqualTo(Map.of("star", LARGE));
        recent.counted(Map.of("star", LARGER));
        assertThat(recent.recent(List.of("star"))).isEqualTo(Map.of("star", LARGER));
        assertThat(recent.known(List.of("star", "few"))).isEqualTo(Map.of("star", LARGER));
    }

    @Test
    @DisplayName("of a million are made again after ten minutes")
    void large() {
        recent.counted(Map.of("star", LARGER));
        pass(Duration.ofSeconds(599));
        assertThat(recent.recent(List.of("star"))).isEqualTo(Map.of("star", LARGER));
        pass(Duration.ofSeconds(1));
        assertThat(recent.recent(List.of("star"))).isEmpty();
    }

    @Test
    @DisplayName("that have become small are forgotten")
    void smaller() {
        recent.counted(Map.of("star", LARGE));
        recent.counted(Map.of("star", SMALL));
        assertThat(recent.known(List.of("star"))).isEmpty();
    }
}
