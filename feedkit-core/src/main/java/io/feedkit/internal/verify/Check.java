package io.feedkit.internal.verify;

import io.feedkit.verify.Finding;
import java.util.List;
import java.util.Set;

/**
 * Compares one thing with the source of truth.
 *
 * @param <S> what identifies the thing, such as the id of a reader
 */
interface Check<S> {

    /**
     * Looks for differences. Changes nothing.
     *
     * @param before the first look at the same thing; {@link Look#NONE} if this is the first
     */
    Look look(S subject, Look before);

    /**
     * Looks at many things at once, with few calls.
     *
     * @return those that certainly have no differences; any others must be looked at one by one. None by default
     */
    default Set<S> sound(List<S> subjects) {
        return Set.of();
    }

    /** Repairs confirmed differences. Each repair is idempotent. */
    void repair(S subject, List<Finding> findings);
}
