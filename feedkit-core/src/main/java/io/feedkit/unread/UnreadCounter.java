package io.feedkit.unread;

import io.feedkit.spi.counter.CounterStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Unread counts by type: comments, mentions, likes, followers, or any type that the host names. The total is not
 * stored. Thread-safe.
 *
 * <p>Users and types are ids as {@link io.feedkit.Post} allows. Every method throws {@link IllegalArgumentException}
 * for bad arguments, before anything is done; {@link io.feedkit.StoreUnavailableException} if nothing was done, and
 * {@link io.feedkit.OutcomeUnknownException} if that is not known.
 *
 * @since 0.1.0
 */
public interface UnreadCounter {

    /** The most that one call adds or retracts. */
    long MAX_AMOUNT = 1_000_000_000;

    /**
     * A counter on a store.
     *
     * @param store where the numbers are
     * @return the counter
     */
    static UnreadCounter of(CounterStore store) {
        return new StoredUnreadCounter(store);
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
    void add(Collection<String> users, String type, long amount);

    /**
     * Adds an amount for some users, once for each user even if it is called several times with the same operation. A
     * thousand users in one round trip, for each user atomically. Idempotent.
     *
     * @param users the users; for a user who occurs twice, the amount is added twice
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @param operation the operation's id, 1 to 1000 visible ASCII characters. The store remembers it for each user
     *     and type, for as long as its documentation says
     * @throws ArithmeticException as {@link #add(Collection, String, long)}; for users without the addition the
     *     operation may be tried again
     */
    void add(Collection<String> users, String type, long amount, String operation);

    /**
     * Takes back what an operation added for a user. If the user has seen it, the count stays; if not, it falls by the
     * amount of the operation. Other additions stay as they are. Atomic; idempotent. It may come before the addition,
     * which then changes nothing.
     *
     * <p>The store remembers what an operation added for as long as the operation. Later retractions change nothing.
     *
     * @param user the user
     * @param type the type
     * @param operation the operation's id
     */
    void retract(String user, String type, String operation);

    /**
     * Takes back an amount of what was added without an operation and was not seen; the count stops at zero. The store
     * does not know which additions these were. To take back a certain one, add it with an operation, and use
     * {@link #retract(String, String, String)}. Atomic; not idempotent.
     *
     * @param user the user
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @return how much was taken back
     */
    long retract(String user, String type, long amount);

    /**
     * Reads all types of one user.
     *
     * @param user the user
     * @return the counts
     */
    UnreadCounts read(String user);

    /**
     * Reads all types of many users, a thousand users in one round trip.
     *
     * @param users the users
     * @return for each user the counts
     */
    List<UnreadCounts> read(List<String> users);

    /**
     * Records that the user has seen the counts that were shown. Additions since then stay unread. For each type
     * atomically; idempotent; calls may come in any order.
     *
     * <p>The counted positions may come from the user's client, the user may not: take it from the session. A client
     * that sends other positions clears only counts of this user. Types that were never counted are left out, and
     * positions beyond what was added count as all of it.
     *
     * @param user the user who has seen them
     * @param counted {@link UnreadCounts#counted} of what was shown; use {@link UnreadCounts#only} if only one type was
     *     shown
     * @throws IllegalArgumentException if the user or the name of a position is not legal, or a position is null or
     *     negative
     */
    void clear(String user, Map<String, Long> counted);

    /**
     * Records that the user has seen everything of a type up to now; a type that was never counted is left out. Prefer
     * {@link #clear}, which leaves additions unread that came after the counts were shown.
     *
     * @param user the user
     * @param type the type
     */
    void clearNow(String user, String type);

    /**
     * Forgets users with all their counts. The ids of their operations are remembered as long as others. Do not pass
     * counts that were read before this call to {@link #clear} afterwards. Idempotent.
     *
     * @param users the users
     */
    void forget(Collection<String> users);
}
