package io.feedkit.jdbc.internal.sql;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import java.util.function.Function;

/**
 * An operation that takes several transactions. If one fails after another was committed, the operation is half done, and it would be wrong to say that nothing was. For one thread.
 */
public final class Stages {

    private boolean committed;

    private Stages() {}

    /**
     * Runs an operation, which notes what it commits.
     *
     * @throws OutcomeUnknownException if the store became unavailable after something was committed
     * @throws StoreUnavailableException if it did before
     */
    public static <T> T run(String operation, Function<Stages, T> work) {
        Stages stages = new Stages();
        try {
            return work.apply(stages);
        } catch (StoreUnavailableException e) {
            throw stages.committed ? Failures.unknown(operation, e) : e;
        }
    }

    /** Notes that a stage has committed something, unless it is nothing. */
    public void committed(int changes) {
        committed |= changes > 0;
    }
}
