package io.feedkit.unread;

import static io.feedkit.unread.UnreadCounts.ONCE;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.OperationIds;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
import io.feedkit.spi.counter.CounterWrites.Retraction;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Unread counts by type: comments, mentions, likes, followers, or any type that the host names. The total is not
 * stored. Thread-safe.
 *
 * <p>Users and types are ids as {@link io.feedkit.Post} allows. Every method throws {@link IllegalArgumentException}
 * for bad arguments, before anything is changed; {@link io.feedkit.StoreUnavailableException} if the store failed and
 * nothing was changed; and {@link io.feedkit.OutcomeUnknownException} if something may have been changed.
 *
 * @since 0.1.0
 */
public final class UnreadCounter {

    /** The most that one call adds or removes. */
    public static final long MAX_AMOUNT = 1_000_000_000;

    private final CounterStore store;

    private UnreadCounter(CounterStore store) {
        this.store = Arguments.nonNull("store", store);
    }

    /**
     * A counter on a store.
     *
     * @param store where the numbers are kept
     * @return the counter
     */
    public static UnreadCounter of(CounterStore store) {
        return new UnreadCounter(store);
    }

    /**
     * The owner whose cells are a user's types. A cell has the sum of all additions, and the mark up to which the user
     * has seen them. A type has one cell for additions without an operation, and one for additions with an operation. A
     * store behind a cache writes only the former late. So it knows what each operation added to the latter.
     */
    static Owner owner(String user) {
        return new Owner(Space.TYPES, Ids.require("user", user));
    }

    private static CellKey key(String user, String type, boolean once) {
        return new CellKey(owner(user), Ids.require("type", type) + (once ? ONCE : ""));
    }

    private static String type(String cell) {
        return cell.endsWith(ONCE) ? cell.substring(0, cell.length() - ONCE.length()) : cell;
    }

    /**
     * Adds an amount for some users, a thousand users in one round trip, for each user atomically. If the outcome is
     * unknown, the amount may have been added, and the call is not repeated automatically.
     *
     * @param users the users; for a user who occurs twice, the amount is added twice
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @throws ArithmeticException if a user's sum for the type would not fit into 64 bits. For such users nothing was
     *     changed; for all others the amount was added
     */
    public void add(Collection<String> users, String type, long amount) {
        add(users, type, amount, Optional.empty());
    }

    /**
     * Adds an amount for some users, once for each user even if it is called several times with the same operation. A
     * thousand users in one round trip, for each user atomically. Idempotent.
     *
     * @param users the users; for a user who occurs twice, the amount is added twice
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @param operation the operation's id, 1 to 1000 visible ASCII characters. The store keeps it for each user and
     *     type, for the time that the store's documentation states
     * @throws ArithmeticException as {@link #add(Collection, String, long)}; for users without the addition the
     *     operation may be tried again
     */
    public void add(Collection<String> users, String type, long amount, String operation) {
        add(users, type, amount, Optional.of(OperationIds.require(operation)));
    }

    private void add(Collection<String> users, String type, long amount, Optional<String> operation) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        Ids.require("type", type);
        Map<CellKey, Long> amounts = new LinkedHashMap<>();
        for (String user : Arguments.nonNull("users", users)) {
            amounts.merge(key(user, type, operation.isPresent()), amount, Math::addExact);
        }
        List<Add> adds = new ArrayList<>(amounts.size());
        amounts.forEach((key, sum) -> adds.add(new Add(key, sum, operation).writtenBehind()));
        List<Added> added = SeveralSteps.call("unreadCounter.add", store, steps -> steps.addAll(adds));
        for (int i = 0; i < added.size(); i++) {
            if (added.get(i).outcome() == Outcome.OVERFLOW) {
                throw new ArithmeticException("cannot add " + adds.get(i).amount() + " to " + type + " of "
                        + adds.get(i).key().owner().id() + ": it holds "
                        + added.get(i).count() + ", and the sum does not fit into 64 bits");
            }
        }
    }

    /**
     * Takes back what an operation added for a user. If the user has seen it, the count stays; if not, it falls by the
     * amount of the operation. Other additions stay as they are. Atomic; idempotent. The call may come before the
     * addition, which then changes nothing.
     *
     * <p>The store keeps the amount of an operation as long as the operation's id. Later removals change nothing.
     *
     * @param user the user
     * @param type the type
     * @param operation the operation's id
     */
    public void remove(String user, String type, String operation) {
        store.retract(List.of(new Retraction(key(user, type, true), OperationIds.require(operation))));
    }

    /**
     * Takes back an amount of unseen additions without an operation; the count stops at zero. The store does not know
     * which additions these were. To take back a certain addition, add it with an operation, and use
     * {@link #remove(String, String, String)}. Atomic; not idempotent.
     *
     * @param user the user
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @return how much was taken back
     */
    public long remove(String user, String type, long amount) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        CellKey key = key(user, type, false);
        Raised raised = store.raise(List.of(new Raise(key, 0, amount, Optional.of(type), When.ALWAYS).writtenBehind()))
                .get(0);
        return raised.after().orElse(0) - raised.before().orElse(0);
    }

    /**
     * Reads all types of one user.
     *
     * @param user the user
     * @return the counts
     */
    public UnreadCounts get(String user) {
        return get(List.of(Ids.require("user", user))).get(0);
    }

    /**
     * Reads all types of many users, a thousand users in one round trip.
     *
     * @param users the users
     * @return for each user the counts
     */
    public List<UnreadCounts> get(List<String> users) {
        List<Owner> owners = owners(users);
        List<Map<String, Cell>> cells = store.cells(owners);
        List<UnreadCounts> counts = new ArrayList<>(users.size());
        for (int i = 0; i < users.size(); i++) {
            counts.add(counts(users.get(i), cells.get(i)));
        }
        return counts;
    }

    private static List<Owner> owners(Collection<String> users) {
        return Arguments.nonNull("users", users).stream()
                .map(UnreadCounter::owner)
                .toList();
    }

    static UnreadCounts counts(String user, Map<String, Cell> cells) {
        Map<String, Long> byType = new HashMap<>();
        Map<String, Long> counted = new HashMap<>();
        cells.forEach((name, cell) -> {
            long unread = cell.unread();
            if (unread > 0) {
                byType.merge(type(name), unread, UnreadCounts::sum);
                counted.put(name, cell.count());
            }
        });
        return new UnreadCounts(user, byType, counted);
    }

    /**
     * Records that the user has seen the counts that were shown. Additions since then stay unread. For each type
     * atomically; idempotent; calls may come in any order.
     *
     * <p>The counted positions may come from the user's client. The user's id must come from the session. A client that
     * sends other positions marks only counts of this user as seen. Types that were never counted are left out. A
     * position beyond the additions counts as the end of the additions.
     *
     * @param user the user who has seen them
     * @param counted {@link UnreadCounts#counted} of what was shown; use {@link UnreadCounts#only} if only one type was
     *     shown
     * @throws IllegalArgumentException if the user or the name of a position is not legal, or a position is null or
     *     negative
     */
    public void markSeen(String user, Map<String, Long> counted) {
        Ids.require("user", user);
        List<Raise> raises =
                new ArrayList<>(Arguments.nonNull("counted", counted).size());
        counted.forEach((cell, position) -> {
            CellKey key = key(user, type(Arguments.nonNull("type", cell)), cell.endsWith(ONCE));
            String name = "counted of " + cell;
            Arguments.between(name, Arguments.nonNull(name, position), 0, Long.MAX_VALUE);
            raises.add(new Raise(key, position, 0, Optional.of(cell), When.ALWAYS).writtenBehind());
        });
        store.raise(raises);
    }

    /**
     * Records that a user has seen the counts that were shown, as {@link #markSeen(String, Map)} does.
     *
     * @param shown what {@link #get(String)} returned
     */
    public void markSeen(UnreadCounts shown) {
        markSeen(Arguments.nonNull("shown", shown).user(), shown.counted());
    }

    /**
     * Records that the user has seen everything of a type up to now; a type that was never counted is left out. Prefer
     * {@link #markSeen(UnreadCounts)}, which leaves additions unread that came after the counts were shown.
     *
     * @param user the user
     * @param type the type
     */
    public void markAllSeen(String user, String type) {
        markSeen(user, Map.of(Ids.require("type", type), Long.MAX_VALUE, type + ONCE, Long.MAX_VALUE));
    }

    /**
     * Deletes all counts of a user, as {@link #forget(Collection)} does for many.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(owner(user)));
    }

    /**
     * Deletes all counts of users. The ids of their operations are kept as long as other ids. Do not pass counts that
     * were read before this call to {@link #markSeen(UnreadCounts)} afterwards. Idempotent.
     *
     * @param users the users
     */
    public void forget(Collection<String> users) {
        store.forget(owners(users));
    }
}
