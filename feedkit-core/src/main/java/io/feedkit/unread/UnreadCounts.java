package io.feedkit.unread;

import java.util.Map;

/**
 * The unread counts of a user at the time of a read, and the positions up to which they were counted.
 *
 * @param user the user
 * @param byType the unread count of each type; types with nothing unread are left out
 * @param counted the position up to which each type was counted, for {@link UnreadCounter#clear(UnreadCounts)}; a host
 *     may send it to its client and back
 */
public record UnreadCounts(String user, Map<String, Long> byType, Map<String, Long> counted) {

    /** Copies the maps. */
    public UnreadCounts {
        byType = Map.copyOf(byType);
        counted = Map.copyOf(counted);
    }

    /**
     * The unread count of a type.
     *
     * @param type the type
     * @return the count; {@code 0} if nothing is unread
     */
    public long of(String type) {
        return byType.getOrDefault(type, 0L);
    }

    /**
     * The unread count of all types.
     *
     * @return the sum, at most {@link Long#MAX_VALUE}
     */
    public long total() {
        long total = 0;
        for (long count : byType.values()) {
            total = sum(total, count);
        }
        return total;
    }

    /**
     * These counts, limited to one type.
     *
     * @param type the type
     * @return the counts of that type
     */
    public UnreadCounts only(String type) {
        Long count = byType.get(type);
        return count == null
                ? new UnreadCounts(user, Map.of(), Map.of())
                : new UnreadCounts(user, Map.of(type, count), Map.of(type, counted.getOrDefault(type, 0L)));
    }

    /** The sum of two counts, or the most there can be. */
    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
