package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Redis holds of many owners at once.
 *
 * @param link the servers
 * @param cache the keys
 */
record CachedChangeReader(RedisLink link, ChangeCache cache) {

    /** The fields of a cell: life, claims, amount, mark. */
    private static final List<String> OF_CELL = List.of("i", "n", "a", "m");

    private static final String OF_MEMBER = "s";

    /** The fields of an owner to read. */
    private static final class Fields {
        private boolean all;
        private final Set<String> names = new LinkedHashSet<>();
    }

    /** Reads what is wanted of the owners that may have cached changes. */
    Held read(Wanted wanted, Predicate<Owner> mayBeHeld) {
        Map<Owner, Fields> fields = new LinkedHashMap<>();
        wanted.cells().forEach(owner -> of(fields, owner).all = true);
        wanted.members().forEach(owner -> of(fields, owner).all = true);
        wanted.cellsOf().forEach(key -> cell(fields, key.owner(), key.name()));
        wanted.standings().forEach(key -> {
            cell(fields, key.owner(), key.name());
            cell(fields, key.owner(), "");
        });
        wanted.lookups()
                .forEach(lookup -> lookup.members()
                        .forEach(member -> of(fields, lookup.owner()).names.add(OF_MEMBER + member)));
        fields.keySet().removeIf(mayBeHeld.negate());
        return read(fields);
    }

    /** Reads members. */
    Held members(Collection<CacheItem> items) {
        Map<Owner, Fields> fields = new LinkedHashMap<>();
        items.forEach(item -> of(fields, item.owner()).names.add(OF_MEMBER + item.name()));
        return read(fields);
    }

    private static Fields of(Map<Owner, Fields> fields, Owner owner) {
        return fields.computeIfAbsent(owner, none -> new Fields());
    }

    private static void cell(Map<Owner, Fields> fields, Owner owner, String name) {
        OF_CELL.forEach(letter -> of(fields, owner).names.add(letter + name));
    }

    private Held read(Map<Owner, Fields> wanted) {
        if (wanted.isEmpty()) {
            return Held.NOTHING;
        }
        List<Owner> owners = List.copyOf(wanted.keySet());
        List<Call<List<Object>>> calls = new ArrayList<>(owners.size());
        wanted.forEach((owner, fields) -> calls.add(Call.of(
                fields.all ? CommandType.HGETALL : CommandType.HMGET,
                ArrayOutput::new,
                cache.held(owner),
                fields.all
                        ? new byte[0][]
                        : fields.names.stream().map(Arguments::text).toArray(byte[][]::new))));
        List<List<Object>> answers = link.ask("counterStore.read", calls).get();
        Map<CellKey, Change> cells = new HashMap<>();
        Map<Owner, Map<String, Member>> members = new HashMap<>();
        for (int i = 0; i < owners.size(); i++) {
            Owner owner = owners.get(i);
            Fields fields = wanted.get(owner);
            Map<String, String> held =
                    fields == null || fields.all ? pairs(answers.get(i)) : values(fields.names, answers.get(i));
            held.forEach((field, value) -> {
                String name = field.substring(1);
                if (field.startsWith("i")) {
                    cells.put(new CellKey(owner, name), change(name, held));
                } else if (field.startsWith(OF_MEMBER)) {
                    members.computeIfAbsent(owner, none -> new HashMap<>()).put(name, ChangeCache.member(name, value));
                }
            });
        }
        return new Held(cells, members);
    }

    private static Map<String, String> pairs(List<Object> answer) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < answer.size(); i += 2) {
            pairs.put(ChangeCache.text(answer.get(i)), ChangeCache.text(answer.get(i + 1)));
        }
        return pairs;
    }

    private static Map<String, String> values(Set<String> fields, List<@Nullable Object> answer) {
        Map<String, String> values = new HashMap<>();
        int place = 0;
        for (String field : fields) {
            Object value = answer.get(place++);
            if (value != null) {
                values.put(field, ChangeCache.text(value));
            }
        }
        return values;
    }

    private static Change change(String name, Map<String, String> held) {
        return change(
                held.getOrDefault("i" + name, ""),
                held.getOrDefault("n" + name, "0"),
                held.getOrDefault("a" + name, "0"),
                held.getOrDefault("m" + name, ""));
    }

    static Change change(String life, String claims, String amount, String mark) {
        return new Change(
                life,
                Long.parseLong(claims),
                Long.parseLong(amount),
                mark.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(mark.substring(1))),
                mark.startsWith(CREATES));
    }

    private static final String CREATES = "c";
    private static final String RAISES = "p";

    /** The text of a cell's mark. */
    static String text(@Nullable Change change) {
        return change == null || change.mark().isEmpty()
                ? ""
                : text(change.mark().getAsLong(), change.creates());
    }

    static String text(long mark, boolean creates) {
        return (creates ? CREATES : RAISES) + mark;
    }
}
