package io.feedkit.redis.internal.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What is about users, bucket by bucket, so that each part can be the business of one script, also in a cluster. A server does nothing else during a script: a part is small enough
 * for that to be a fraction of a millisecond, and large enough for the price of a call to be shared.
 */
public final class Buckets {

    private static final int MOST = 100;

    private Buckets() {}

    /** Parts of items of one bucket each, in which the items of a user keep their order. */
    public static <T> List<List<T>> parts(Collection<T> items, Function<T, String> user) {
        Map<Integer, List<T>> buckets = new TreeMap<>();
        for (T item : items) {
            buckets.computeIfAbsent(Keys.bucket(user.apply(item)), bucket -> new ArrayList<>())
                    .add(item);
        }
        List<List<T>> parts = new ArrayList<>();
        for (List<T> bucket : buckets.values()) {
            for (int from = 0; from < bucket.size(); from += MOST) {
                parts.add(bucket.subList(from, Math.min(from + MOST, bucket.size())));
            }
        }
        return parts;
    }
}
