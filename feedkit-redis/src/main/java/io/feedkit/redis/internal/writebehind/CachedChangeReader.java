package io.feedkit.redis.internal.writebehind;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.CounterSource.Life;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cached changes of many owners at once.
 *
 * @param link the servers
 * @param cache the keys
 */
record CachedChangeReader(OwnedLink link, ChangeCache cache) {

    /** The fields of a cell: life, claims, amount, earlier lives, mark. */
    private static final List<String> OF_CELL = List.of("i", "n", "a", "o", "m");

    private static final String OPERATION = "counterStore.read";

    private static final String OF_MEMBER = "s";
    private static final String FENCE = "@";

    /** The fields of an owner to read. */
    private static final class Fields {
        private boolean all;
        private final Set<String> names = new LinkedHashSet<>();
    }

    /**
     * The cached changes.
     *
     * @param held the changes
     * @param fences the fences of those owners that have one; see {@link ChangeCache.Swap}
     */
    record Cached(Held held, Map<Owner, String> fences) {
        private static final Cached NOTHING = new Cached(Held.NOTHING, Map.of());

        String fence(Owner owner) {
            return fences.getOrDefault(owner, "");
        }
    }

    /** Reads the cached changes that a read needs, of owners that may have some. */
    Cached read(Wanted wanted, Predicate<Owner> mayBeHeld) {
        return read(fields(wanted, mayBeHeld));
    }

    /**
     * Reads the same, or nothing if Redis does not answer. Data that are written to Redis must not be computed from the
     * result.
     */
    Held heldIfReachable(Wanted wanted, Predicate<Owner> mayBeHeld) {
        Map<Owner, Fields> fields = fields(wanted, mayBeHeld);
        return fields.isEmpty()
                ? Held.NOTHING
                : link.askIfReachable(OPERATION, calls(fields), groups(fields.keySet()))
                        .map(answers -> cached(fields, answers).held())
                        .orElse(Held.NOTHING);
    }

    private Set<Integer> groups(Set<Owner> owners) {
        ToIntFunction<Owner> group = link.apart(owner -> Keys.bucket(owner.id()));
        return owners.stream().map(group::applyAsInt).collect(toSet());
    }

    private static Map<Owner, Fields> fields(Wanted wanted, Predicate<Owner> mayBeHeld) {
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
        return fields;
    }

    /** Reads members. */
    Cached members(Collection<CacheItem> items) {
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

    private Cached read(Map<Owner, Fields> wanted) {
        return wanted.isEmpty()
                ? Cached.NOTHING
                : cached(wanted, link.ask(OPERATION, calls(wanted), groups(wanted.keySet())));
    }

    private List<Call<List<Object>>> calls(Map<Owner, Fields> wanted) {
        wanted.values().forEach(fields -> fields.names.add(FENCE));
        List<Call<List<Object>>> calls = new ArrayList<>(wanted.size());
        wanted.forEach((owner, fields) -> calls.add(Call.of(
                fields.all ? CommandType.HGETALL : CommandType.HMGET,
                ArrayOutput::new,
                cache.held(owner),
                fields.all
                        ? new byte[0][]
                        : fields.names.stream().map(Arguments::text).toArray(byte[][]::new))));
        return calls;
    }

    private static Cached cached(Map<Owner, Fields> wanted, List<List<Object>> answers) {
        List<Owner> owners = List.copyOf(wanted.keySet());
        Map<CellKey, Change> cells = new HashMap<>();
        Map<Owner, Map<String, Member>> members = new HashMap<>();
        Map<Owner, String> fences = new HashMap<>();
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
                } else if (field.equals(FENCE)) {
                    fences.put(owner, value);
                }
            });
        }
        return new Cached(new Held(cells, members), fences);
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
                held.getOrDefault("o" + name, ""),
                held.getOrDefault("m" + name, ""));
    }

    static Change change(String life, String claims, String amount, String earlier, String mark) {
        return new Change(
                new Life(life, Long.parseLong(claims), Long.parseLong(amount)),
                earlier.isEmpty()
                        ? List.of()
                        : Arrays.stream(earlier.split(BETWEEN, -1))
                                .map(CachedChangeReader::life)
                                .toList(),
                mark.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(mark.substring(1))),
                mark.startsWith(CREATES));
    }

    private static Life life(String text) {
        String[] parts = text.split(INSIDE, -1);
        return new Life(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    /** The text of a cell's earlier lives. */
    static String earlier(Change change) {
        return change.earlier().stream()
                .map(life -> life.name() + INSIDE + life.version() + INSIDE + life.amount())
                .collect(joining(BETWEEN));
    }

    private static final String BETWEEN = ";";
    private static final String INSIDE = " ";
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
