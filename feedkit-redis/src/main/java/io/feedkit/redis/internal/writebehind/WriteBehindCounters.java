package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.writebehind.ChangeCache.Swap;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Counters over a source of truth. Changes that may be written late go to Redis, all others to the source. Reads come
 * from both.
 */
public final class WriteBehindCounters implements CounterStore {

    /** The spaces whose changes may be written late. Redis has nothing to do with other spaces. */
    private static final Set<Space> SPACES = EnumSet.of(
            Space.TYPES,
            Space.CONVERSATION,
            Space.ANNOUNCEMENTS_SEEN,
            Space.DOTS,
            Space.COUNTERS,
            Space.POSTS,
            Space.VIEWS);

    private final CounterSource source;
    private final ChangeCache cache;
    private final CachedChangeReader reader;
    private final ChangeFlusher flusher;

    /**
     * The counters of a source.
     *
     * @param kept how long Redis keeps changes that are written
     */
    public WriteBehindCounters(RedisLink link, Keys keys, Duration kept, CounterSource source) {
        this.source = source;
        this.cache = new ChangeCache(link, keys, kept);
        this.reader = new CachedChangeReader(link, cache);
        this.flusher = new ChangeFlusher(cache, source);
    }

    /** Writes the pending changes of now. Returns how many cells and members are no longer pending. */
    public int flush() {
        return flusher.flush();
    }

    private static boolean mayBePending(Owner owner) {
        return SPACES.contains(owner.space());
    }

    /** Handles some items one way and the others another way, and returns the answers in the order of the items. */
    private static <I, A> List<A> split(
            List<I> items,
            Predicate<I> isPending,
            Function<List<I>, List<A>> pending,
            Function<List<I>, List<A>> atOnce) {
        List<I> some = items.stream().filter(isPending).toList();
        List<I> others = items.stream().filter(isPending.negate()).toList();
        // The source comes first, because it may reject an item.
        List<A> ofOthers = others.isEmpty() ? List.of() : atOnce.apply(others);
        List<A> ofSome = some.isEmpty() ? List.of() : pending.apply(some);
        List<A> answers = new ArrayList<>(items.size());
        int next = 0;
        for (I item : items) {
            if (isPending.test(item)) {
                answers.add(ofSome.get(next++));
            } else {
                answers.add(ofOthers.get(answers.size() - next));
            }
        }
        return answers;
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return split(adds, add -> add.behind() && mayBePending(add.key().owner()), this::addToCache, source::add);
    }

    private List<Added> addToCache(List<Add> adds) {
        return cache.add(adds).stream()
                .map(fitted -> new Added(fitted ? Outcome.ADDED : Outcome.OVERFLOW, 0))
                .toList();
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return split(
                raises,
                raise -> raise.behind() && mayBePending(raise.key().owner()),
                this::raiseInCache,
                source::raise);
    }

    private List<Raised> raiseInCache(List<Raise> raises) {
        return untilSwapped(raises, Raise::key, this::raiseOnce);
    }

    /** Repeats steps that others overtook. Steps about the same thing are done one after the other. */
    private static <I, A> List<A> untilSwapped(
            List<I> items, Function<I, Object> thing, Function<List<I>, List<Optional<A>>> tried) {
        Map<Integer, A> answers = new HashMap<>();
        while (answers.size() < items.size()) {
            Map<Object, Integer> first = new LinkedHashMap<>();
            for (int i = 0; i < items.size(); i++) {
                if (!answers.containsKey(i)) {
                    first.putIfAbsent(thing.apply(items.get(i)), i);
                }
            }
            List<Integer> places = List.copyOf(first.values());
            List<Optional<A>> now = tried.apply(places.stream().map(items::get).toList());
            for (int i = 0; i < places.size(); i++) {
                int place = places.get(i);
                now.get(i).ifPresent(answer -> answers.put(place, answer));
            }
        }
        List<A> inOrder = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            inOrder.add(answers.get(i));
        }
        return inOrder;
    }

    private List<Optional<Raised>> raiseOnce(List<Raise> raises) {
        List<CellKey> keys = raises.stream()
                .flatMap(raise -> Stream.of(
                        raise.key(),
                        new CellKey(
                                raise.key().owner(),
                                raise.sequence().orElse(raise.key().name()))))
                .toList();
        Wanted wanted = Wanted.NOTHING.withCellsOf(keys);
        Held held = reader.read(wanted, WriteBehindCounters::mayBePending);
        List<Cell> cells = source.read(wanted, held).cellsOf();
        List<Raised> answers = new ArrayList<>(raises.size());
        Map<Integer, Swap> swaps = new LinkedHashMap<>();
        for (int i = 0; i < raises.size(); i++) {
            Raise raise = raises.get(i);
            OptionalLong before = cells.get(2 * i).mark();
            OptionalLong after = raise.onto(before, cells.get(2 * i + 1).count());
            answers.add(new Raised(before, after));
            if (after.isPresent() && !after.equals(before)) {
                CounterSource.Change change = held.cells().get(raise.key());
                boolean creates = raise.when() != When.PRESENT || (change != null && change.creates());
                swaps.put(
                        i,
                        new Swap(
                                CacheItem.cell(raise.key()),
                                CachedChangeReader.text(change),
                                CachedChangeReader.text(after.getAsLong(), creates)));
            }
        }
        return swapped(answers, swaps);
    }

    /** The answers, except those whose swap failed because the cache had changed. */
    private <A> List<Optional<A>> swapped(List<A> answers, Map<Integer, Swap> swaps) {
        List<Boolean> done = cache.swap(swaps.values());
        List<Optional<A>> swapped =
                new ArrayList<>(answers.stream().map(Optional::of).toList());
        int next = 0;
        for (int place : swaps.keySet()) {
            if (!done.get(next++)) {
                swapped.set(place, Optional.empty());
            }
        }
        return swapped;
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return split(
                puts,
                put -> put.behind() && put.number().isPresent() && mayBePending(put.owner()),
                pending -> untilSwapped(pending, put -> CacheItem.member(put.owner(), put.member()), this::putOnce),
                source::put);
    }

    private List<Optional<OptionalLong>> putOnce(List<Put> puts) {
        List<CacheItem> items = puts.stream()
                .map(put -> CacheItem.member(put.owner(), put.member()))
                .toList();
        Held held = reader.members(items);
        List<Lookup> unknown = items.stream()
                .filter(item -> heldMember(held, item).isEmpty())
                .map(item -> new Lookup(item.owner(), List.of(item.name())))
                .toList();
        List<Map<String, Member>> found = unknown.isEmpty()
                ? List.of()
                : source.read(Wanted.NOTHING.withLookups(unknown)).lookups();
        List<OptionalLong> answers = new ArrayList<>(puts.size());
        Map<Integer, Swap> swaps = new LinkedHashMap<>();
        int next = 0;
        for (int i = 0; i < puts.size(); i++) {
            Put put = puts.get(i);
            Optional<Member> inCache = heldMember(held, items.get(i));
            Optional<Member> there = inCache.isPresent()
                    ? inCache
                    : Optional.ofNullable(found.get(next++).get(put.member()));
            if (there.isPresent() && !put.takesPlaceOf(there.get())) {
                answers.add(OptionalLong.empty());
                continue;
            }
            answers.add(put.number());
            Member member = new Member(put.member(), put.label(), put.number().orElseThrow(), true);
            swaps.put(i, new Swap(items.get(i), inCache.map(ChangeCache::text).orElse(""), ChangeCache.text(member)));
        }
        return swapped(answers, swaps);
    }

    /** The cached member of an item. */
    static Optional<Member> heldMember(Held held, CacheItem item) {
        return Optional.ofNullable(
                held.members().getOrDefault(item.owner(), Map.of()).get(item.name()));
    }

    /** The cache comes first. A change that is no longer pending cannot be written after the removal. */
    @Override
    public void removeCells(Collection<CellKey> keys) {
        cache.drop(keys.stream()
                .filter(key -> mayBePending(key.owner()))
                .map(CacheItem::cell)
                .toList());
        source.removeCells(keys);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        if (mayBePending(owner)) {
            cache.drop(
                    members.stream().map(name -> CacheItem.member(owner, name)).toList());
        }
        return source.removeMembers(owner, members);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        cache.forget(owners.stream()
                .filter(WriteBehindCounters::mayBePending)
                .distinct()
                .toList());
        source.forget(owners);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return source.openTickets(owners);
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return source.redeem(redemptions);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return source.turn(turns);
    }

    @Override
    public void settle(List<Settlement> turns) {
        source.settle(turns);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        source.relabel(owner, member, label);
    }

    @Override
    public Found read(Wanted wanted) {
        return source.read(wanted, reader.read(wanted, WriteBehindCounters::mayBePending));
    }
}
