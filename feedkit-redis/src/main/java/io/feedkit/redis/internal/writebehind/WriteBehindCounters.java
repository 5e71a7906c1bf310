package io.feedkit.redis.internal.writebehind;

import io.feedkit.ForeignStoreException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.writebehind.CachedChangeReader.Cached;
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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Counters over a source of truth. Changes that may be written late go to Redis, all others to the source. Reads come
 * from both.
 */
public final class WriteBehindCounters implements CounterStore {

    /** The spaces whose changes may be written late. Changes of other spaces never go to Redis. */
    private static final Set<Space> SPACES = EnumSet.of(
            Space.TYPES,
            Space.CONVERSATION,
            Space.ANNOUNCEMENTS_SEEN,
            Space.DOTS,
            Space.COUNTERS,
            Space.POSTS,
            Space.VIEWS);

    private final CounterSource source;
    private final OwnedLink owned;
    private final ChangeCache cache;
    private final CachedChangeReader reader;
    private final ChangeFlusher flusher;
    private final Renewals renewals;
    private final FlushCount flushes = new FlushCount();

    /**
     * The counters of a source. The changes in Redis are claimed now, or by the first call that reaches Redis.
     *
     * @param kept how long Redis keeps written changes
     * @throws ForeignStoreException if Redis has changes of another source of truth
     */
    public WriteBehindCounters(Link link, Keys keys, Duration kept, CounterSource source) {
        this.source = source;
        this.owned = new OwnedLink(link, keys, source.identity());
        this.cache = new ChangeCache(owned, keys, kept);
        this.reader = new CachedChangeReader(owned, cache);
        this.flusher = new ChangeFlusher(cache, source);
        this.renewals = new Renewals(source, System::currentTimeMillis);
        owned.claimIfReachable();
    }

    /**
     * Writes the changes that are pending at the call. Returns how many cells and members are no longer pending. The
     * changes are claimed again, because Redis may have lost all data, with the record of whose changes these are.
     */
    public int flush() {
        return flushes.count(() -> {
            owned.claim();
            int written = flusher.flush();
            renewals.report();
            return written;
        });
    }

    /** How the flushes keep up. Makes no call. */
    public WriteBehindStatus status() {
        return flushes.status(isRedisReachable());
    }

    /**
     * Returns the same counters in a transaction of the host's.
     *
     * @param joined the source in that transaction
     * @throws IllegalArgumentException if it is another source of truth, or the source itself
     */
    public CounterStore in(CounterSource joined) {
        if (joined == source) {
            throw new IllegalArgumentException("joined must be the source of truth in a transaction, not the source");
        }
        if (!joined.identity().equals(source.identity())) {
            throw new IllegalArgumentException("joined must be the source of truth " + source.identity()
                    + " in a transaction, but is " + joined.identity());
        }
        return new JoinedCounters(joined, reader, flusher);
    }

    @Override
    public CounterStore joining(PublishTransaction transaction) {
        return in(source.joining(transaction));
    }

    static boolean mayBePending(Owner owner) {
        return SPACES.contains(owner.space());
    }

    /** Executes a step of a call. If an earlier step changed something, and this one fails, the outcome is unknown. */
    private static <A> A step(String operation, boolean changed, Supplier<A> step) {
        try {
            return step.get();
        } catch (StoreUnavailableException e) {
            throw changed ? new OutcomeUnknownException(operation, e) : e;
        }
    }

    private static void run(String operation, boolean changed, Runnable step) {
        Boolean unused = step(operation, changed, () -> {
            step.run();
            return true;
        });
    }

    /** Handles some items one way and the others another way, and returns the answers in the order of the items. */
    private static <I, A> List<A> split(
            String operation,
            List<I> items,
            Predicate<I> isPending,
            Function<List<I>, List<A>> pending,
            Function<List<I>, List<A>> atOnce) {
        List<I> some = items.stream().filter(isPending).toList();
        List<I> others = items.stream().filter(isPending.negate()).toList();
        // The source comes first, because it may reject an item.
        List<A> ofOthers = others.isEmpty() ? List.of() : atOnce.apply(others);
        List<A> ofSome = some.isEmpty() ? List.of() : step(operation, !others.isEmpty(), () -> pending.apply(some));
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
    public Optional<Duration> viewsKept() {
        return source.viewsKept();
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return split(
                "counterStore.add",
                adds,
                add -> add.behind() && mayBePending(add.key().owner()),
                this::addToCache,
                source::add);
    }

    private List<Added> addToCache(List<Add> adds) {
        return cache.add(adds).stream()
                .map(fitted -> new Added(fitted ? Outcome.ADDED : Outcome.OVERFLOW, 0))
                .toList();
    }

    /** Amounts that operations added are only in the source. */
    @Override
    public void retract(List<Retraction> retractions) {
        source.retract(retractions);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return split(
                "counterStore.raise",
                raises,
                raise -> raise.behind() && mayBePending(raise.key().owner()),
                this::raiseInCache,
                source::raise);
    }

    private List<Raised> raiseInCache(List<Raise> raises) {
        List<Raised> raised = retryUntilSwapped("counterStore.raise", raises, Raise::key, this::raiseOnce);
        List<Owner> unchanged = new ArrayList<>();
        for (int i = 0; i < raises.size(); i++) {
            OptionalLong after = raised.get(i).after();
            if (after.isPresent() && after.equals(raised.get(i).before())) {
                unchanged.add(raises.get(i).key().owner());
            }
        }
        renewals.note(unchanged);
        return raised;
    }

    /**
     * Repeats the steps that failed because the cache had changed. Steps about the same item are executed one after the
     * other.
     */
    private static <I, A> List<A> retryUntilSwapped(
            String operation, List<I> items, Function<I, Object> key, Function<List<I>, List<Optional<A>>> attempt) {
        Map<Integer, A> answers = new HashMap<>();
        while (answers.size() < items.size()) {
            Map<Object, Integer> first = new LinkedHashMap<>();
            for (int i = 0; i < items.size(); i++) {
                if (!answers.containsKey(i)) {
                    first.putIfAbsent(key.apply(items.get(i)), i);
                }
            }
            List<Integer> places = List.copyOf(first.values());
            List<Optional<A>> now = step(
                    operation,
                    !answers.isEmpty(),
                    () -> attempt.apply(places.stream().map(items::get).toList()));
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
        Cached cached = reader.read(wanted, WriteBehindCounters::mayBePending);
        Held held = cached.held();
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
                                CachedChangeReader.text(after.getAsLong(), creates),
                                cached.fence(raise.key().owner())));
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
                "counterStore.put",
                puts,
                put -> put.behind() && put.number().isPresent() && mayBePending(put.owner()),
                pending -> retryUntilSwapped(
                        "counterStore.put", pending, put -> CacheItem.member(put.owner(), put.member()), this::putOnce),
                source::put);
    }

    private List<Optional<OptionalLong>> putOnce(List<Put> puts) {
        List<CacheItem> items = puts.stream()
                .map(put -> CacheItem.member(put.owner(), put.member()))
                .toList();
        Cached cached = reader.members(items);
        Held held = cached.held();
        List<Optional<Member>> there = members(puts, items, held);
        List<OptionalLong> answers = new ArrayList<>(puts.size());
        Map<Integer, Swap> swaps = new LinkedHashMap<>();
        for (int i = 0; i < puts.size(); i++) {
            Put put = puts.get(i);
            CacheItem item = items.get(i);
            long number = put.number().orElseThrow();
            Optional<Member> before = there.get(i);
            if (before.isPresent() && !put.takesPlaceOf(before.get())) {
                answers.add(OptionalLong.empty());
            } else if (before.isPresent() && before.get().number() > number) {
                answers.add(putInSource(put, item));
            } else {
                answers.add(put.number());
                Member member = new Member(put.member(), put.label(), number, true);
                String expected = heldMember(held, item).map(ChangeCache::text).orElse("");
                swaps.put(i, new Swap(item, expected, ChangeCache.text(member), cached.fence(item.owner())));
            }
        }
        return swapped(answers, swaps);
    }

    /**
     * Puts a member with a lower number than the present one. A cached member would have no effect beside a higher one.
     */
    private OptionalLong putInSource(Put put, CacheItem item) {
        cache.drop(List.of(item));
        return source.put(List.of(put)).get(0);
    }

    /**
     * The present members. The source may have newer ones than a cache that was behind. It is asked only about those
     * that may be replaced.
     */
    private List<Optional<Member>> members(List<Put> puts, List<CacheItem> items, Held held) {
        List<Optional<Member>> members = new ArrayList<>(puts.size());
        Map<Integer, Lookup> unknown = new LinkedHashMap<>();
        for (int i = 0; i < puts.size(); i++) {
            CacheItem item = items.get(i);
            Optional<Member> inCache = heldMember(held, item);
            if (inCache.isEmpty() || puts.get(i).takesPlaceOf(inCache.get())) {
                unknown.put(i, new Lookup(item.owner(), List.of(item.name())));
            }
            members.add(inCache);
        }
        if (!unknown.isEmpty()) {
            List<Map<String, Member>> found = source.read(
                            Wanted.NOTHING.withLookups(List.copyOf(unknown.values())), held)
                    .lookups();
            int next = 0;
            for (int place : unknown.keySet()) {
                String name = puts.get(place).member();
                members.set(place, Optional.ofNullable(found.get(next++).get(name)));
            }
        }
        return members;
    }

    /** The cached member of an item. */
    static Optional<Member> heldMember(Held held, CacheItem item) {
        return Optional.ofNullable(
                held.members().getOrDefault(item.owner(), Map.of()).get(item.name()));
    }

    /**
     * Removes the cells from the cache first. A change that is no longer pending cannot be written after the removal.
     */
    @Override
    public void removeCells(Collection<CellKey> keys) {
        List<CacheItem> dropped = keys.stream()
                .filter(key -> mayBePending(key.owner()))
                .map(CacheItem::cell)
                .toList();
        cache.drop(dropped);
        run("counterStore.removeCells", !dropped.isEmpty(), () -> source.removeCells(keys));
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        boolean dropped = mayBePending(owner) && !members.isEmpty();
        if (dropped) {
            cache.drop(
                    members.stream().map(name -> CacheItem.member(owner, name)).toList());
        }
        return step("counterStore.removeMembers", dropped, () -> source.removeMembers(owner, members));
    }

    /**
     * Forgets the owners in the cache first. A change that is no longer pending cannot be written after that. Forgets
     * them in the cache again at the end: a mark may have been raised in between to a value that was still in the
     * source.
     */
    @Override
    public void forget(Collection<Owner> owners) {
        List<Owner> dropped = owners.stream()
                .filter(WriteBehindCounters::mayBePending)
                .distinct()
                .toList();
        cache.forget(dropped, false);
        try {
            run("counterStore.forget", !dropped.isEmpty(), () -> source.forget(owners));
        } catch (Throwable e) {
            release(dropped, e);
            throw e;
        }
        run("counterStore.forget", true, () -> cache.forget(dropped, true));
    }

    /** If Redis cannot be reached either, the forgetting ends after half a minute. */
    private void release(List<Owner> owners, Throwable failure) {
        try {
            cache.release(owners);
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
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
        return source.read(wanted, reader.heldIfReachable(wanted, WriteBehindCounters::mayBePending));
    }

    /** Whether reads see the changes in Redis. */
    public boolean isRedisReachable() {
        return owned.isReachable();
    }
}
