package io.feedkit.unread;

import java.util.Map;

/**
 * What was unread when it was read, and up to where it had been counted.
 *
 * @param user whose it is
 * @param byType what is unread by type; types of which nothing is unread are left out
 * @param counted up to where each type had been counted, for {@link UnreadCounter#clear(UnreadCounts)}; a host may send
 *     it to its client and back
 */
public record UnreadCounts(String user, Map<String, Long> byType, Map<String, Long> counted) {

    /** Copies the maps. */
    public UnreadCounts {
        byType = Map.copyOf(byType);
        counted = Map.copyOf(counted);
    }

    /**
     * What is unread of a type.
     *
     * @param type the type
     * @return the count, {@code 0} if nothing is
     */
    public long of(String type) {
        return byType.getOrDefault(type, 0L);
    }

    /**
     * What is unread of all types.
     *
     * @return the sum, {@link Long#MAX_VALUE} if it is more
     */
    public long total() {
        long total = 0;
        for (long count : byType.values()) {
            total = Arguments.sum(total, count);
        }
        return total;
    }

    /**
     * The same, but of one type.
     *
     * @param type the type
     * @return what was read of it
     */
    public UnreadCounts only(String type) {
        Long count = byType.get(type);
        return count == null
                ? new UnreadCounts(user, Map.of(), Map.of())
                : new UnreadCounts(user, Map.of(type, count), Map.of(type, counted.getOrDefault(type, 0L)));
    }
}
