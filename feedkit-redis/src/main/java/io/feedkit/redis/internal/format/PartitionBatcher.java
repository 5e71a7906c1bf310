package io.feedkit.redis.internal.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Items by the partition, or the bucket, that they belong to, so many for each call at most, and in their order; the answers go back to where the items were.
 *
 * @param <I> what is asked about
 */
public final class PartitionBatcher<I> {

    /** Some items of one partition. */
    public record Batch<I>(int partition, List<I> items) {

        /** What a call about them takes: the same for all, then so much for each. */
        public List<byte[]> values(List<byte[]> same, Function<I, List<byte[]>> each) {
            List<byte[]> all = new ArrayList<>(same);
            items.forEach(item -> all.addAll(each.apply(item)));
            return all;
        }
    }

    private final List<Batch<I>> shares = new ArrayList<>();
    private final int[] shareOf;

    private PartitionBatcher(int size) {
        shareOf = new int[size];
    }

    /** Splits items into shares. */
    public static <I> PartitionBatcher<I> of(List<I> items, ToIntFunction<I> partition, int most) {
        PartitionBatcher<I> split = new PartitionBatcher<>(items.size());
        Map<Integer, Integer> open = new HashMap<>();
        for (int place = 0; place < items.size(); place++) {
            I item = items.get(place);
            int index = open.computeIfAbsent(partition.applyAsInt(item), split::begin);
            Batch<I> batch = split.shares.get(index);
            split.shareOf[place] = index;
            batch.items().add(item);
            if (batch.items().size() == most) {
                open.remove(batch.partition());
            }
        }
        return split;
    }

    private int begin(int partition) {
        shares.add(new Batch<>(partition, new ArrayList<>()));
        return shares.size() - 1;
    }

    /** Something for each share. */
    public <C> List<C> each(Function<Batch<I>, C> call) {
        return shares.stream().map(call).toList();
    }

    /** The answers for the items, of those for the shares. */
    public <A> List<A> inPlace(List<? extends List<A>> answers) {
        int[] next = new int[shares.size()];
        List<A> all = new ArrayList<>(shareOf.length);
        for (int batch : shareOf) {
            all.add(answers.get(batch).get(next[batch]++));
        }
        return Collections.unmodifiableList(all);
    }
}
