package io.feedkit.redis.internal.call;

import io.feedkit.redis.internal.format.Keys;
import java.util.List;
import java.util.function.Predicate;

/** Lists the users, or authors, who have a key of some kind. Each is passed at least once. */
public record IdScan(Link link, Keys keys) {

    private static final int AT_ONCE = 1000;

    /**
     * Walks through the ids, some at a time and in no order.
     *
     * @param kinds the kinds of keys
     * @param visitor receives ids, at least one at a time; returns false to end the walk
     */
    public void each(String operation, List<String> kinds, Predicate<List<String>> visitor) {
        for (String kind : kinds) {
            boolean[] goesOn = {true};
            link.scan(operation, keys.pattern(kind), found -> {
                List<String> ids =
                        found.stream().map(key -> keys.user(kind, key)).toList();
                for (int from = 0; from < ids.size() && goesOn[0]; from += AT_ONCE) {
                    goesOn[0] = visitor.test(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
                }
                return goesOn[0];
            });
            if (!goesOn[0]) {
                return;
            }
        }
    }
}
