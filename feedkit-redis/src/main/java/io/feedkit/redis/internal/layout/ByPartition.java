package io.feedkit.redis.internal.layout;

import java.util.ArrayList;
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
public final class ByPartition<I> {

    /**
     * Some items of one partition.
     *
     * @param places where they were
     */
    public record Share<I>(int partition, List<I> items, List<Integer> places) {

        /** What a call about them takes: the same for all, then so much for each. */
        public List<byte[]> values(List<byte[]> same, Function<I, List<byte[]>> each) {
            List<byte[]> all = new ArrayList<>(same);
            items.forEach(item -> all.addAll(each.apply(item)));
            return all;
        }
    }

    private final int size;
    private final List<Share<I>> shares = new ArrayList<>();

    private ByPartition(int size) {
        this.size = size;
    }

    /** Splits items into shares. */
    public static <I> ByPartition<I> of(List<I> items, ToIntFunction<I> partition, int most) {
        ByPartition<I> split = new ByPartition<>(items.size());
        Map<Integer, Share<I>> open = new HashMap<>();
        for (int place = 0; place < items.size(); place++) {
            I item = items.get(place);
            Share<I> share = open.computeIfAbsent(partition.applyAsInt(item), split::begin);
            share.items().add(item);
            share.places().add(place);
            if (share.items().size() == most) {
                open.remove(share.partition());
            }
        }
        return split;
    }

    private Share<I> begin(int partition) {
        Share<I> share = new Share<>(partition, new ArrayList<>(), new ArrayList<>());
        shares.add(share);
        return share;
    }

    /** Something for each share. */
    public <C> List<C> each(Function<Share<I>, C> call) {
        return shares.stream().map(call).toList();
    }

    /** The answers for the items, of those for the shares. */
    @SuppressWarnings("unchecked") // each element came out of a list of answers
    public <A> List<A> inPlace(List<? extends List<A>> answers) {
        Object[] all = new Object[size];
        for (int i = 0; i < shares.size(); i++) {
            List<Integer> places = shares.get(i).places();
            for (int j = 0; j < places.size(); j++) {
                all[places.get(j)] = answers.get(i).get(j);
            }
        }
        return (List<A>) List.of(all);
    }
}
