package io.feedkit.unread;

import io.feedkit.spi.counter.CounterStore;
import java.util.Collection;
import java.util.List;

/**
 * Counts what is unread by type: comments, mentions, likes, followers, or whatever the host names. Nothing stores the
 * total. Thread-safe.
 *
 * <p>Users and types are ids as {@link io.feedkit.spi.Ids} allows. Every method throws {@link IllegalArgumentException}
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
     * Adds for some users. For each user atomically. If its outcome is unknown it may have been done, and is not
     * repeated by itself.
     *
     * @param users who; a user who occurs twice gets it twice
     * @param type the type
     * @param amount how much, 1 to {@value #MAX_AMOUNT}
     * @throws ArithmeticException if what a user has of the type would not fit into 64 bits; nothing was changed for
     *     such users, but for all others
     */
    void add(Collection<String> users, String type, long amount);

    /**
     * Adds for some users, for each user once, however often it is called with the same operation. For each user
     * atomically. Idempotent.
     *
     * @param users who; a user who occurs twice gets it twice
     * @param type the type
     * @param amount how much, 1 to {@value #MAX_AMOUNT}
     * @param operation names what is done, at most 64 visible ASCII characters; it is remembered for each user and type
     *     as long as the store says
     * @throws ArithmeticException as {@link #add(Collection, String, long)}; for the users that were left out the
     *     operation may be tried again
     */
    void add(Collection<String> users, String type, long amount, String operation);

    /**
     * Takes back what was not seen. It stops at zero. Atomic; not idempotent.
     *
     * @param user whose
     * @param type the type
     * @param amount how much, 1 to {@value #MAX_AMOUNT}
     * @return how much was taken back
     */
    long retract(String user, String type, long amount);

    /**
     * Reads all types of one user.
     *
     * @param user whose
     * @return the counts
     */
    UnreadCounts read(String user);

    /**
     * Reads all types of many users in one round trip.
     *
     * @param users whose
     * @return for each the counts
     */
    List<UnreadCounts> read(List<String> users);

    /**
     * Says that the user has seen what was shown. What came since stays unread. For each type atomically; idempotent,
     * and in any order.
     *
     * @param shown what was read, and shown; {@link UnreadCounts#only} if that was one of the types
     */
    void clear(UnreadCounts shown);

    /**
     * Says that the user has seen all that there is of a type at this moment. Prefer {@link #clear}, which keeps what
     * came since it was shown.
     *
     * @param user whose
     * @param type the type
     */
    void clearNow(String user, String type);

    /**
     * Forgets users with all their counts. The operations that were done for them stay known as long as others; counts
     * that were read before are not to be cleared with afterwards. Idempotent.
     *
     * @param users who
     */
    void forget(Collection<String> users);
}
