package io.feedkit.unread;

import io.feedkit.spi.counter.CounterStore;
import java.util.Collection;
import java.util.List;

/**
 * Unread counts by type: comments, mentions, likes, followers, or any type that the host names. The total is not
 * stored. Thread-safe.
 *
 * <p>Users and types are ids as {@link io.feedkit.Post} allows. Every method throws {@link IllegalArgumentException}
 * for bad arguments, before anything is done; {@link io.feedkit.StoreUnavailableException} if nothing was done, and
 * {@link io.feedkit.OutcomeUnknownException} if that is not known.
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
     * Adds an amount for some users, for each user atomically. If the outcome is unknown, the amount may have been
     * added, and the call is not repeated automatically.
     *
     * @param users the users; for a user who occurs twice, the amount is added twice
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @throws ArithmeticException if a user's sum for the type would not fit into 64 bits. For such users nothing was
     *     changed; for all others the amount was added
     */
    void add(Collection<String> users, String type, long amount);

    /**
     * Adds an amount for some users, once for each user even if it is called several times with the same operation. For
     * each user atomically. Idempotent.
     *
     * @param users the users; for a user who occurs twice, the amount is added twice
     * @param type the type
     * @param amount the amount, 1 to {@value #MAX_AMOUNT}
     * @param operation the operation's id, at most 64 visible ASCII characters. The store remembers it for each user
     *     and type, for as long as its documentation says
     * @throws ArithmeticException as {@link #add(Collection, String, long)}; for users without the addition the
     *     operation may be tried again
     */
    void add(Collection<String> users, String type, long amount, String operation);

    /**
     * Takes back an amount of what was not seen; the count stops at zero. Atomic; not idempotent.
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
     * Reads all types of many users in one round trip.
     *
     * @param users the users
     * @return for each user the counts
     */
    List<UnreadCounts> read(List<String> users);

    /**
     * Records that the user has seen the counts that were shown. Additions since then stay unread. For each type
     * atomically; idempotent; calls may come in any order.
     *
     * @param shown the counts that were read and shown; use {@link UnreadCounts#only} if only one type was shown
     */
    void clear(UnreadCounts shown);

    /**
     * Records that the user has seen everything of a type up to now. Prefer {@link #clear}, which leaves additions
     * unread that came after the counts were shown.
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
