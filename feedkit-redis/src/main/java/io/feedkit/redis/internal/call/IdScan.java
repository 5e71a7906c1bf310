package io.feedkit.redis.internal.call;

import io.feedkit.redis.internal.format.Keys;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists the users, or authors, who have a key of some kind. Who has keys of several kinds is listed with the first of
 * them.
 */
public record IdScan(Link link, Keys keys) {

    private static final int AT_ONCE = 1000;

    /**
     * Walks through the ids, some at a time and in no order.
     *
     * @param kinds the kinds of keys; for authors only one
     * @param visitor receives ids, at least one at a time; returns false to end the walk
     */
    public void each(String operation, List<String> kinds, Predicate<List<String>> visitor) {
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (!each(operation, kinds.get(kind), kinds.subList(0, kind), visitor)) {
                return;
            }
        }
    }

    /** Lists those who have no key of the earlier kinds. Returns false if the visitor ended the walk. */
    private boolean each(String operation, String kind, List<String> earlier, Predicate<List<String>> visitor) {
        boolean[] goesOn = {true};
        link.scan(operation, keys.pattern(kind), found -> {
            List<String> ids = found.stream().map(key -> keys.user(kind, key)).toList();
            for (String before : earlier) {
                ids = without(operation, before, ids);
            }
            for (int from = 0; from < ids.size() && goesOn[0]; from += AT_ONCE) {
                goesOn[0] = visitor.test(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
            }
            return goesOn[0];
        });
        return goesOn[0];
    }

    private List<String> without(String operation, String kind, List<String> ids) {
        List<Call<Long>> calls = ids.stream()
                .map(id -> Call.of(CommandType.EXISTS, IntegerOutput::new, keys.ofUser(kind, id)))
                .toList();
        List<Long> exist = link.runAll(operation, Effect.READ, calls);
        List<String> others = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            if (exist.get(i) == 0) {
                others.add(ids.get(i));
            }
        }
        return others;
    }
}
