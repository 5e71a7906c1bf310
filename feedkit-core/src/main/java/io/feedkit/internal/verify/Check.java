package io.feedkit.internal.verify;

import io.feedkit.verify.Finding;
import java.util.List;

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

    /** Repairs confirmed differences. Each repair is idempotent. */
    void repair(S subject, List<Finding> findings);
}
