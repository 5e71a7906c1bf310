package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;

/**
 * An operation of an engine begins on the calling thread.
 *
 * @since 0.1.0
 */
@Beta
public final class OperationStarted {

    /** What the engine does. Later versions may have further kinds. */
    public enum Kind {

        /** Publishes or imports posts, in a transaction of the host or outside. */
        PUBLISH,

        /**
         * Reads a page of a feed. The engine also reads pages for live feeds, and candidates for ranked pages. An
         * answer that the engine gives again to a connected reader is no operation.
         */
        READ,

        /** Counts unread posts. An answer that the engine gives again to a connected reader is no operation. */
        COUNT_UNREAD,

        /**
         * Processes fan-out tasks that a worker has claimed together. Each task may be finished, continue in a later
         * operation, or fail. A failed task is reported by {@link FeedListener#taskFailed}, and does not fail the
         * operation.
         */
        PROCESS_TASKS
    }

    private record Values(Kind kind, int size) {}

    private final Values values;

    private OperationStarted(Values values) {
        this.values = values;
    }

    /**
     * Makes an event.
     *
     * @param kind what the engine does
     * @param size how much of it
     * @return the event
     */
    public static OperationStarted of(Kind kind, int size) {
        return new OperationStarted(new Values(nonNull("kind", kind), size));
    }

    /**
     * What the engine does.
     *
     * @return the kind
     */
    public Kind kind() {
        return values.kind;
    }

    /**
     * How much the engine does: posts to publish, the most posts of a page, readers to count for, or claimed tasks.
     *
     * @return the number
     */
    public int size() {
        return values.size;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OperationStarted that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "OperationStarted");
    }
}
