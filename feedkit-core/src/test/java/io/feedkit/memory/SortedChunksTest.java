package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The sorted set in chunks")
class SortedChunksTest {

    private final SortedChunks<Integer> chunks = new SortedChunks<>(Comparator.naturalOrder());

    @ParameterizedTest(name = "of up to {0} different entries")
    @ValueSource(ints = {3, 100, 1_000, 20_000})
    @DisplayName("does what a tree set does, in any sequence of operations")
    void agreesWithTreeSet(int values) {
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            SortedChunks<Integer> set = new SortedChunks<>(Comparator.naturalOrder());
            NavigableSet<Integer> model = new TreeSet<>();
            for (int step = 0; step < 20_000; step++) {
                String context = "seed " + seed + ", step " + step;
                int value = random.nextInt(values);
                switch (random.nextInt(20)) {
                    case 0, 1, 2, 3, 4 ->
                        assertThat(set.remove(value)).as(context).isEqualTo(model.remove(value));
                    case 5 ->
                        assertThat(page(set, value, value + 50, 20))
                                .as(context)
                                .isEqualTo(page(model, value, value + 50, 20));
                    case 6 -> {
                        if (random.nextInt(200) == 0) {
                            removeLowest(set, model, random.nextInt(model.size() + 1));
                        }
                    }
                    case 7 ->
                        assertThat(set.find(bound(value)) != null).as(context).isEqualTo(model.contains(value));
                    default -> assertThat(set.add(value)).as(context).isEqualTo(model.add(value));
                }
                assertThat(set.size()).as(context).isEqualTo(model.size());
            }
            assertThat(all(set)).as("seed " + seed).containsExactlyElementsOf(model);
        }
    }

    @Test
    @DisplayName("takes entries in ascending and in descending order")
    void sequentialInserts() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(chunks.add(10_000 + i)).isTrue();
            assertThat(chunks.add(10_000 - 1 - i)).isTrue();
        }

        assertThat(chunks.size()).isEqualTo(10_000);
        for (int rank = 0; rank < 10_000; rank += 99) {
            assertThat(chunks.get(rank)).isEqualTo(5_000 + rank);
        }
    }

    @Test
    @DisplayName("walks down in the reverse of the order up")
    void descends() {
        for (int i = 0; i < 3_000; i++) {
            chunks.add(i * 7 % 3_000);
        }

        List<Integer> up = chunks.ascending(bound(100), bound(2_900), Integer.MAX_VALUE);
        List<Integer> down = new ArrayList<>(chunks.descending(bound(100), bound(2_900), Integer.MAX_VALUE));
        Collections.reverse(down);

        assertThat(up).hasSize(2_800).isEqualTo(down);
        assertThat(chunks.descending(bound(2_000), bound(1_000), 10)).isEmpty();
        assertThat(chunks.ascending(bound(2_000), bound(1_000), 10)).isEmpty();
    }

    @Test
    @DisplayName("removes what lies below a bound, and what a condition holds for")
    void removesInBulk() {
        for (int i = 0; i < 3_000; i++) {
            chunks.add(i);
        }

        chunks.removeBelow(bound(1_234));
        chunks.removeIf(value -> value % 2 == 0);

        assertThat(chunks.size()).isEqualTo(883);
        assertThat(chunks.get(0)).isEqualTo(1_235);
        chunks.removeBelow(bound(9_999));
        assertThat(chunks.isEmpty()).isTrue();
        assertThat(chunks.add(1)).isTrue();
    }

    private static void removeLowest(SortedChunks<Integer> set, NavigableSet<Integer> model, int count) {
        set.removeLowest(count);
        for (int i = 0; i < count; i++) {
            model.pollFirst();
        }
    }

    private static List<Integer> page(SortedChunks<Integer> set, int from, int below, int limit) {
        return set.ascending(bound(from), bound(below), limit);
    }

    private static List<Integer> page(NavigableSet<Integer> model, int from, int below, int limit) {
        return model.subSet(from, below).stream().limit(limit).toList();
    }

    private static List<Integer> all(SortedChunks<Integer> set) {
        return set.ascending(bound(Integer.MIN_VALUE), bound(Integer.MAX_VALUE), Integer.MAX_VALUE);
    }

    private static SortedChunks.Bound<Integer> bound(int value) {
        return entry -> entry.compareTo(value);
    }
}
