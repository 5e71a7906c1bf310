package io.feedkit.event;

import io.feedkit.Beta;
import java.util.Optional;

/**
 * Is called when an operation ends. {@link FeedListener#started} returns it.
 *
 * @since 0.1.0
 */
@Beta
@FunctionalInterface
public interface OperationEnd {

    /** Does nothing. */
    OperationEnd NONE = failure -> {};

    /**
     * The operation ended. Called once, on the thread on which the operation began. Exceptions are logged and otherwise
     * ignored.
     *
     * @param failure what the operation throws to its caller; empty if it succeeded
     */
    void ended(Optional<Throwable> failure);
}
