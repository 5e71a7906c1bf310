package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The changes in Redis. Each owner has a hash with the cached changes of its cells and members. Each bucket has a set
 * of pending changes, which are not written to the source yet. A script does up to a hundred steps.
 */
final class ChangeCache {

    private static final int AT_ONCE = 100;
    private static final int RADIX = 36;

    private final RedisLink link;
    private final Keys keys;
    private final byte[] kept;
    /** A life is named after the cache and a number, so no two lives share a name. */
    private final String name = Long.toString(Arguments.newToken(), RADIX) + ".";

    private final AtomicLong lives = new AtomicLong();

    ChangeCache(RedisLink link, Keys keys, Duration kept) {
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
        return answers(
                        operation,
                        script,
                        items,
                        owner,
                        item -> List.of(held(owner.apply(item)), pending(bucket(owner.apply(item)))),
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
                batch.values(List.of(new byte[0]), values)));
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

    /** Adds. Returns for each add whether the sum fits into 64 bits. */
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
     */
    record Swap(CacheItem item, String expected, String text) {}

    /** Replaces marks and members that are as expected. Returns for each whether it was. */
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
                                bytes(swap.item())))
                .stream()
                .map("1"::equals)
                .toList();
    }

    /**
     * Reads items in order to write them, and tells Redis what the source has of their cells. Items that are not cached
     * are missing from the answer.
     */
    Held claim(Collection<CacheItem> items, Map<CellKey, Written> written) {
        List<Object> answers = answers(
                "flush", LateScripts.CLAIM, items, CacheItem::owner, item -> List.of(held(item.owner())), item -> {
                    Written there = written.getOrDefault(item.key(), Written.NONE);
                    return List.of(
                            bytes(item.type().letter()),
                            bytes(item.name()),
                            bytes(there.life()),
                            bytes(Long.toString(there.version())),
                            bytes(Long.toString(there.amount())));
                });
        Map<CellKey, Change> cells = new HashMap<>();
        Map<Owner, Map<String, Member>> members = new HashMap<>();
        int place = 0;
        for (CacheItem item : items) {
            Object answer = answers.get(place++);
            if (answer instanceof List<?> parts) {
                cells.put(
                        item.key(),
                        CachedChangeReader.change(
                                text(parts.get(0)), text(parts.get(1)), text(parts.get(2)), text(parts.get(3))));
            } else if (!text(answer).isEmpty()) {
                members.computeIfAbsent(item.owner(), none -> new HashMap<>())
                        .put(item.name(), member(item.name(), text(answer)));
            }
        }
        return new Held(cells, members);
    }

    /**
     * Removes written changes from the pending ones, unless they changed after the claim. Returns for each whether it
     * was removed.
     */
    List<Boolean> written(Collection<CacheItem> items, Held held) {
        return steps("flush", LateScripts.WRITTEN, items, CacheItem::owner, item -> {
                    List<byte[]> values =
                            new ArrayList<>(List.of(bytes(item.type().letter()), bytes(item.name())));
                    as(item, held).forEach(text -> values.add(bytes(text)));
                    values.add(kept);
                    values.add(bytes(item));
                    return values;
                })
                .stream()
                .map("1"::equals)
                .toList();
    }

    private static List<String> as(CacheItem item, Held held) {
        if (item.type() == CacheItem.Type.MEMBER) {
            return List.of(
                    WriteBehindCounters.heldMember(held, item)
                            .map(ChangeCache::text)
                            .orElse(""),
                    "",
                    "");
        }
        Change change = held.cells().get(item.key());
        return change == null
                ? List.of("", "0", "")
                : List.of(change.life(), Long.toString(change.amount()), CachedChangeReader.text(change));
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

    /** Drops everything of some owners, written or not. */
    void forget(Collection<Owner> owners) {
        steps(
                "forget",
                LateScripts.FORGET,
                owners,
                Function.identity(),
                owner -> List.of(bytes(CacheItem.beginning(owner))));
    }

    /**
     * Pending changes.
     *
     * @param items some of each bucket
     * @param all whether these are all
     */
    record Listed(List<CacheItem> items, boolean all) {}

    /** Lists pending changes, up to this many of each bucket. */
    Listed list(int most) {
        List<Integer> buckets = IntStream.range(0, Keys.BUCKETS).boxed().toList();
        PartitionBatcher<Integer> split = PartitionBatcher.of(buckets, link.apart(bucket -> bucket), AT_ONCE);
        List<Call<List<Object>>> calls = split.each(batch -> LateScripts.LIST.on(
                batch.items().stream().map(this::pending).toList(), List.of(new byte[0], Arguments.number(most))));
        List<CacheItem> items = new ArrayList<>();
        boolean all = true;
        for (Object answer : split.inPlace(link.ask("counterStore.flush", calls).get())) {
            List<?> ofBucket = (List<?>) answer;
            ofBucket.forEach(item -> items.add(CacheItem.of(text(item))));
            all &= ofBucket.size() < most;
        }
        return new Listed(items, all);
    }
}
