package io.feedkit.redis.internal.writebehind;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.CounterSource.Written;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The changes in Redis. Each owner has a hash with the cached changes of its cells and members. Each bucket has a set
 * of pending changes, which are not written to the source yet. A script executes up to a hundred steps.
 */
final class ChangeCache {

    /**
     * The longest time to forget an owner. If the process ends meanwhile, changes of the owner are written after this
     * time.
     */
    private static final Duration FORGETTING = Duration.ofSeconds(30);

    private static final List<byte[]> NOTHING_SHARED = List.of(new byte[0]);

    private static final int AT_ONCE = 100;
    private static final int RADIX = 36;

    /** The answer to a claim while the owner is being forgotten. */
    private static final String FORGOTTEN = "f";

    /** The cursor with which a walk through a bucket begins, and which Redis returns at its end. */
    private static final String FIRST = "0";

    /** The beginning of a walk through all buckets. */
    static final Map<Integer, String> BEGINNING =
            IntStream.range(0, Keys.BUCKETS).boxed().collect(toMap(bucket -> bucket, bucket -> FIRST));

    private final OwnedLink link;
    private final Keys keys;
    private final byte[] kept;
    /** A life is named after the cache and a number, so no two lives share a name. */
    private final String name = Long.toString(Arguments.newToken(), RADIX) + ".";

    private final AtomicLong lives = new AtomicLong();

    ChangeCache(OwnedLink link, Keys keys, Duration kept) {
        this.link = link;
        this.keys = keys;
        this.kept = Arguments.millis(kept.toMillis());
    }

    /** The key of an owner's cached changes. */
    byte[] held(Owner owner) {
        return keys.ofUser("late." + owner.space().name().toLowerCase(Locale.ROOT), owner.id());
    }

    private byte[] pending(int bucket) {
        return keys.ofBucket("late", bucket);
    }

    private static int bucket(Owner owner) {
        return Keys.bucket(owner.id());
    }

    private byte[] life() {
        return Arguments.text(name + Long.toString(lives.incrementAndGet(), RADIX));
    }

    private <I> List<String> steps(
            String operation,
            Script<List<Object>> script,
            Collection<I> items,
            Function<I, Owner> owner,
            Function<I, List<byte[]>> values) {
        return steps(operation, script, items, owner, NOTHING_SHARED, values);
    }

    private <I> List<String> steps(
            String operation,
            Script<List<Object>> script,
            Collection<I> items,
            Function<I, Owner> owner,
            List<byte[]> shared,
            Function<I, List<byte[]>> values) {
        return answers(
                        operation,
                        script,
                        items,
                        owner,
                        item -> List.of(held(owner.apply(item)), pending(bucket(owner.apply(item)))),
                        shared,
                        values)
                .stream()
                .map(ChangeCache::text)
                .toList();
    }

    private <I> List<Object> answers(
            String operation,
            Script<List<Object>> script,
            Collection<I> items,
            Function<I, Owner> owner,
            Function<I, List<byte[]>> keysOf,
            List<byte[]> shared,
            Function<I, List<byte[]>> values) {
        if (items.isEmpty()) {
            return List.of();
        }
        PartitionBatcher<I> split =
                PartitionBatcher.of(List.copyOf(items), link.apart(item -> bucket(owner.apply(item))), AT_ONCE);
        List<Call<List<Object>>> calls = split.each(batch -> script.on(
                batch.items().stream()
                        .flatMap(item -> keysOf.apply(item).stream())
                        .toList(),
                batch.values(shared, values)));
        return split.inPlace(link.runAll("counterStore." + operation, Effect.WRITE, calls));
    }

    static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(String text) {
        return Arguments.text(text);
    }

    private static byte[] bytes(CacheItem item) {
        return bytes(item.text());
    }

    /** Adds amounts. Returns for each add whether the sum fits into 64 bits. */
    List<Boolean> add(Collection<Add> adds) {
        return steps(
                        "add",
                        LateScripts.ADD,
                        adds,
                        add -> add.key().owner(),
                        add -> List.of(
                                bytes(add.key().name()),
                                bytes(Long.toString(add.amount())),
                                life(),
                                bytes(CacheItem.cell(add.key()))))
                .stream()
                .map("A"::equals)
                .toList();
    }

    /**
     * A mark or a member that replaces another.
     *
     * @param item the cell of the mark, or the member
     * @param expected the text that is expected in Redis; empty if none is
     * @param text the text that replaces it
     * @param fence the fence that was read together with the data from which the text was computed; it changes when the
     *     owner is forgotten
     */
    record Swap(CacheItem item, String expected, String text, String fence) {}

    /** Replaces marks and members that have the expected text and fence. Returns for each whether it was replaced. */
    List<Boolean> swap(Collection<Swap> swaps) {
        return steps(
                        "raise",
                        LateScripts.SWAP,
                        swaps,
                        swap -> swap.item().owner(),
                        swap -> List.of(
                                bytes(swap.item().type() == CacheItem.Type.CELL ? "m" : "s"),
                                bytes(swap.item().name()),
                                bytes(swap.expected()),
                                bytes(swap.text()),
                                life(),
                                bytes(swap.item()),
                                bytes(swap.fence())))
                .stream()
                .map("1"::equals)
                .toList();
    }

    /**
     * The changes that may be written.
     *
     * @param held the changes; items that are not cached are missing
     * @param forgotten the items of owners who are being forgotten
     */
    record Claim(Held held, Set<CacheItem> forgotten) {}

    /**
     * Claims items in order to write them, and returns their changes. The scripts get what the source has of their
     * cells.
     */
    Claim claim(Collection<CacheItem> items, Map<CellKey, Written> written) {
        List<Object> answers = answers(
                "flush",
                LateScripts.CLAIM,
                items,
                CacheItem::owner,
                item -> List.of(held(item.owner())),
                NOTHING_SHARED,
                item -> {
                    Written there = written.getOrDefault(item.key(), Written.NONE);
                    return List.of(
                            bytes(item.type().letter()),
                            bytes(item.name()),
                            bytes(there.life().name()),
                            bytes(Long.toString(there.life().version())),
                            bytes("," + String.join(",", there.earlier()) + ","),
                            life());
                });
        Map<CellKey, Change> cells = new HashMap<>();
        Map<Owner, Map<String, Member>> members = new HashMap<>();
        Set<CacheItem> forgotten = new HashSet<>();
        int place = 0;
        for (CacheItem item : items) {
            Object answer = answers.get(place++);
            if (answer instanceof List<?> parts) {
                cells.put(
                        item.key(),
                        CachedChangeReader.change(
                                text(parts.get(0)),
                                text(parts.get(1)),
                                text(parts.get(2)),
                                text(parts.get(3)),
                                text(parts.get(4))));
            } else if (text(answer).equals(FORGOTTEN)) {
                forgotten.add(item);
            } else if (!text(answer).isEmpty()) {
                members.computeIfAbsent(item.owner(), none -> new HashMap<>())
                        .put(item.name(), member(item.name(), text(answer)));
            }
        }
        return new Claim(new Held(cells, members), forgotten);
    }

    /**
     * Removes written changes from the pending ones, unless they changed after the claim. Returns for each whether this
     * call removed it.
     */
    List<Boolean> written(Collection<CacheItem> items, Held held) {
        return steps("flush", LateScripts.WRITTEN, items, CacheItem::owner, item -> {
                    List<byte[]> values =
                            new ArrayList<>(List.of(bytes(item.type().letter()), bytes(item.name())));
                    expectedValues(item, held).forEach(text -> values.add(bytes(text)));
                    values.add(kept);
                    values.add(bytes(item));
                    return values;
                })
                .stream()
                .map("1"::equals)
                .toList();
    }

    private static List<String> expectedValues(CacheItem item, Held held) {
        if (item.type() == CacheItem.Type.MEMBER) {
            return List.of(
                    WriteBehindCounters.heldMember(held, item)
                            .map(ChangeCache::text)
                            .orElse(""),
                    "",
                    "",
                    "");
        }
        Change change = held.cells().get(item.key());
        return change == null
                ? List.of("", "0", "", "")
                : List.of(
                        change.life().name(),
                        Long.toString(change.life().amount()),
                        CachedChangeReader.earlier(change),
                        CachedChangeReader.text(change));
    }

    /** The text of a member. */
    static String text(Member member) {
        return member.number() + " " + member.label();
    }

    static Member member(String name, String text) {
        int space = text.indexOf(' ');
        return new Member(name, text.substring(space + 1), Long.parseLong(text.substring(0, space)), true);
    }

    /** Drops cells and members, written or not. */
    void drop(Collection<CacheItem> items) {
        steps(
                "drop",
                LateScripts.DROP,
                items,
                CacheItem::owner,
                item -> List.of(bytes(item.type().letter()), bytes(item.name()), kept, bytes(item)));
    }

    /**
     * Drops everything of some owners, written or not. Texts computed from the data before that cannot be cached any
     * more.
     *
     * @param ends whether the source has already forgotten the owners; until then no change of them is written there
     */
    void forget(Collection<Owner> owners, boolean ends) {
        steps(
                "forget",
                LateScripts.FORGET,
                owners,
                Function.identity(),
                List.of(new byte[0], Arguments.millis(ends ? 0 : FORGETTING.toMillis()), kept),
                owner -> List.of(bytes(CacheItem.beginning(owner)), life()));
    }

    /** Ends the forgetting of owners, although it is not known whether the source has forgotten them. */
    void release(Collection<Owner> owners) {
        steps("forget", LateScripts.RELEASE, owners, Function.identity(), owner -> List.of());
    }

    /**
     * A page of the pending changes.
     *
     * @param items the changes; each may be on several pages
     * @param next the cursors of the buckets that have more; empty at the end
     */
    record Listed(List<CacheItem> items, Map<Integer, String> next) {}

    /**
     * Lists a page of pending changes. A walk over all pages, from {@link #BEGINNING} on, lists each change that is
     * pending from its beginning to its end.
     *
     * @param from for each bucket the cursor
     * @param some about how many changes of each bucket to list
     */
    Listed list(Map<Integer, String> from, int some) {
        List<Integer> buckets = List.copyOf(from.keySet());
        ToIntFunction<Integer> group = link.apart(bucket -> bucket);
        Set<Integer> groups = buckets.stream().map(group::applyAsInt).collect(toSet());
        PartitionBatcher<Integer> split = PartitionBatcher.of(buckets, group, AT_ONCE);
        List<Call<List<Object>>> calls = split.each(batch -> LateScripts.LIST.on(
                batch.items().stream().map(this::pending).toList(),
                batch.values(
                        List.of(new byte[0], Arguments.number(some)),
                        bucket -> List.of(bytes(from.getOrDefault(bucket, FIRST))))));
        List<Object> answers = split.inPlace(link.ask("counterStore.flush", calls, groups));
        List<CacheItem> items = new ArrayList<>();
        Map<Integer, String> next = new HashMap<>();
        for (int i = 0; i < buckets.size(); i++) {
            List<?> page = (List<?>) answers.get(i);
            ((List<?>) page.get(1)).forEach(item -> items.add(CacheItem.of(text(item))));
            if (!text(page.get(0)).equals(FIRST)) {
                next.put(buckets.get(i), text(page.get(0)));
            }
        }
        return new Listed(items, next);
    }
}
