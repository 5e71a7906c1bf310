package io.feedkit.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A figure")
class FigureTest {

    @Test
    @DisplayName("is one line of six fields")
    void line() {
        assertThat(new Figure("fan-out", "followers/s", 1_234_567.8, 500_000, new Target.AtLeast(50_000)).line())
                .isEqualTo("fan-out | 1,234,568 followers/s | 500,000 | 2.47 | >= 50,000 followers/s | ok");
        assertThat(new Figure("publish", "us", 3.2, 2, new Target.RatioAtMost(1.5)).line())
                .isEqualTo("publish | 3.20 us | 2 | 1.60 | ratio <= 1.50 | short");
        assertThat(new Figure("memory", "bytes", 12.34, 0.5, Target.NONE).line())
                .isEqualTo("memory | 12.3 bytes | 0.5000 | 24.7 | none | ok");
    }

    @Test
    @DisplayName("of a latency may be three times the baseline, or so much in any case")
    void largerOf() {
        Target target = new Target.AtMostLarger(3, 2);
        assertThat(target.text("ms")).isEqualTo("<= larger of 3x and 2 ms");
        assertThat(new Figure("p99", "ms", 1.9, 0.1, target).isOk()).isTrue();
        assertThat(new Figure("p99", "ms", 2.9, 1, target).isOk()).isTrue();
        assertThat(new Figure("p99", "ms", 3.1, 1, target).isOk()).isFalse();
    }

    @Test
    @DisplayName("may have a bound above, or be so many times better than the baseline")
    void bounds() {
        assertThat(new Figure("claimed twice", "tasks", 0, 100, new Target.AtMost(0)).line())
                .isEqualTo("claimed twice | 0 tasks | 100 | 0 | <= 0 tasks | ok");
        assertThat(new Figure("claimed twice", "tasks", 1, 100, new Target.AtMost(0)).isOk())
                .isFalse();
        assertThat(new Figure("deliver", "followers/s", 250, 10, new Target.RatioAtLeast(25)).line())
                .isEqualTo("deliver | 250 followers/s | 10 | 25 | ratio >= 25 | ok");
        assertThat(new Figure("deliver", "followers/s", 249, 10, new Target.RatioAtLeast(25)).isOk())
                .isFalse();
    }

    @Test
    @DisplayName("without a baseline is none")
    void baseline() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Figure("memory", "bytes", 1, 0, Target.NONE))
                .withMessageContaining("positive baseline");
        assertThatIllegalArgumentException().isThrownBy(() -> new Figure("a | b", "bytes", 1, 1, Target.NONE));
    }

    @Test
    @DisplayName("is of medians that were measured in turns")
    void medians() {
        StringBuilder order = new StringBuilder();
        double[] values = {100, 1, 9, 2};
        int[] calls = new int[2];
        Rounds.Medians medians = new Rounds(3, 1)
                .medians(
                        () -> {
                            order.append('v');
                            return values[calls[0]++];
                        },
                        () -> {
                            order.append('b');
                            return 10 * ++calls[1];
                        });
        assertThat(order.toString()).isEqualTo("bvvbbvvb");
        assertThat(medians.value()).isEqualTo(2);
        assertThat(medians.baseline()).isEqualTo(30);
        assertThat(Rounds.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }
}
