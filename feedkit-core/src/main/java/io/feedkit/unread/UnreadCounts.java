package io.feedkit.unread;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The unread counts of a user at the time of a read, and the positions up to which they were counted.
 *
 * @param user the user
 * @param byType the unread count of each type; types with nothing unread are left out
 * @param counted the positions up to which the types were counted, for {@link UnreadCounter#markSeen}; a host may send
 *     them to the user's client and back. A client has to keep only this part. A type has up to two positions: one
 *     under its name, and one under its name followed by {@code " once"}, for additions with an operation
 * @since 0.1.0
 */
public record UnreadCounts(String user, Map<String, Long> byType, Map<String, Long> counted) {

    /** The suffix of the cell for a type's additions with an operation. No id contains a space. */
    static final String ONCE = " once";

    /** Copies the maps. */
    public UnreadCounts {
        Arguments.nonNull("user", user);
        byType = copy("byType", byType);
        counted = copy("counted", counted);
    }

    private static Map<String, Long> copy(String name, Map<String, Long> numbers) {
        Arguments.nonNull(name, numbers).forEach((type, number) -> {
            Arguments.nonNull("type of " + name, type);
            Arguments.nonNull(name + " of " + Ids.printable(type), number);
        });
        return Map.copyOf(numbers);
    }

    /**
     * The unread count of a type.
     *
     * @param type the type
     * @return the count; {@code 0} if nothing is unread
     */
    public long of(String type) {
        return byType.getOrDefault(Arguments.nonNull("type", type), 0L);
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
        Map<String, Long> count = new HashMap<>(byType);
        count.keySet().retainAll(List.of(Arguments.nonNull("type", type)));
        Map<String, Long> positions = new HashMap<>(counted);
        positions.keySet().retainAll(List.of(type, type + ONCE));
        return new UnreadCounts(user, count, positions);
    }

    /** The sum of two counts, at most {@link Long#MAX_VALUE}. */
    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
