package io.feedkit.redis.internal.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Splits items into batches of one partition (or bucket) each, of limited size and in order, and puts the answers of
 * the batches back into the order of the items.
 *
 * @param <I> the type of the items
 */
public final class PartitionBatcher<I> {

    /** Some items of one partition. */
    public record Batch<I>(int partition, List<I> items) {

        /** The arguments of a call: the common ones first, then those of each item. */
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

    /**
     * Splits items into batches.
     *
     * @param most the most items of a batch
     */
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

    /** Creates a value, such as a call, from each batch. */
    public <C> List<C> each(Function<Batch<I>, C> call) {
        return shares.stream().map(call).toList();
    }

    /**
     * The answers in the order of the items.
     *
     * @param answers for each batch, the answers for its items
     */
    public <A> List<A> inPlace(List<? extends List<A>> answers) {
        int[] next = new int[shares.size()];
        List<A> all = new ArrayList<>(shareOf.length);
        for (int batch : shareOf) {
            all.add(answers.get(batch).get(next[batch]++));
        }
        return Collections.unmodifiableList(all);
    }
}
