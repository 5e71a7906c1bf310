package io.feedkit.testkit.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An operation that is interrupted at each of its calls")
class FeedRulesTest {

    private final List<Integer> tried = new ArrayList<>();
    private final List<Integer> prepared = new ArrayList<>();

    private void interrupt(List<Integer> calls, int end, int alike, Map<Integer, Integer> unchanged) {
        FeedRules.interruptEach(
                calls,
                end,
                alike,
                count -> {
                    prepared.add(count);
                    return IntStream.range(0, count).boxed().toList();
                },
                (call, scene) -> {
                    tried.add(call);
                    return unchanged.getOrDefault(call, 0);
                });
    }

    @Test
    @DisplayName("is tried before every call, from the last on, if nothing is alike")
    void every() {
        interrupt(FeedRules.everyCall(6), 6, 0, Map.of());
        assertThat(tried).containsExactly(6, 5, 4, 3, 2, 1);
        assertThat(prepared).containsExactly(4, 2);
    }

    @Test
    @DisplayName("is not tried where only reads that stay as they are lie between that place and one that was tried")
    void alike() {
        interrupt(FeedRules.everyCall(9), 9, 2, Map.of(7, 1, 5, 3));
        assertThat(tried).containsExactly(7, 5, 1);
    }

    @Test
    @DisplayName("is not tried at all if all its calls are reads that stay as they are")
    void onlyReads() {
        interrupt(FeedRules.everyCall(3), 3, 100, Map.of());
        assertThat(tried).isEmpty();
        assertThat(prepared).isEmpty();
    }

    @Test
    @DisplayName("is tried in a sample unless a place of the sample is alike")
    void sample() {
        interrupt(List.of(2, 15, 28), 30, 1, Map.of(28, 12, 15, 13));
        assertThat(tried).containsExactly(28, 15);
    }
}
