package io.feedkit.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShrinkingTest {

    private static final List<Integer> HUNDRED = IntStream.range(0, 100).boxed().toList();

    @Test
    @DisplayName("what is needed for the failure is left, in its order")
    void needed() {
        List<Integer> needed = List.of(7, 40, 41, 99);
        assertThat(Shrinking.shortest(HUNDRED, part -> part.containsAll(needed)))
                .isEqualTo(needed);
    }

    @Test
    @DisplayName("a sequence that fails only as a whole stays as it is")
    void whole() {
        assertThat(Shrinking.shortest(HUNDRED, part -> part.size() == 100)).isEqualTo(HUNDRED);
    }

    @Test
    @DisplayName("a failure that needs nothing leaves nothing")
    void nothing() {
        assertThat(Shrinking.shortest(HUNDRED, part -> true)).isEmpty();
    }

    @Test
    @DisplayName("the number of tries is bounded")
    void bounded() {
        List<Integer> all = IntStream.range(0, 10_000).boxed().toList();
        List<List<Integer>> tried = new ArrayList<>();
        Shrinking.shortest(all, part -> {
            tried.add(part.subList(0, 0));
            return false;
        });
        assertThat(tried).hasSizeLessThanOrEqualTo(1000);
    }
}
