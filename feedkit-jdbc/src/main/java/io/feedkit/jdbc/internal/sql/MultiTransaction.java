package io.feedkit.jdbc.internal.sql;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import java.util.function.Function;

/**
 * An operation that takes several transactions. If one transaction fails after another was committed, the operation is
 * partly done, and fails with an {@link OutcomeUnknownException}. Not thread-safe.
 */
public final class MultiTransaction {

    private boolean committed;

    private MultiTransaction() {}

    /**
     * Runs an operation. The operation reports what it commits to {@link #committed}.
     *
     * @throws OutcomeUnknownException if the store became unavailable after something was committed
     * @throws StoreUnavailableException if the store became unavailable before anything was committed
     */
    public static <T> T run(String operation, Function<MultiTransaction, T> work) {
        MultiTransaction transactions = new MultiTransaction();
        try {
            return work.apply(transactions);
        } catch (StoreUnavailableException e) {
            throw transactions.committed ? Failures.unknown(operation, e) : e;
        }
    }

    /** Reports a committed transaction; one without changes does not count. */
    public void committed(int changes) {
        committed |= changes > 0;
    }
}
