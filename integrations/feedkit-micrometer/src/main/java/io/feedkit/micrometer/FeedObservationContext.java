package io.feedkit.micrometer;

import io.feedkit.Beta;
import io.feedkit.event.FeedRead;
import io.feedkit.event.OperationStarted;
import io.micrometer.observation.Observation;
import java.util.Optional;

/**
 * The context of an observation by {@link FeedObservations}, for conventions, handlers and filters of the host. Used by
 * the thread of the operation.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedObservationContext extends Observation.Context {

    private final OperationStarted operation;
    private Optional<FeedRead> read = Optional.empty();
    private int finishedTasks;
    private int failedTasks;

    FeedObservationContext(OperationStarted operation) {
        this.operation = operation;
    }

    /**
     * What the engine does.
     *
     * @return the kind of the operation
     */
    public OperationStarted.Kind kind() {
        return operation.kind();
    }

    /**
     * How much the engine does; see {@link OperationStarted#size}.
     *
     * @return the number
     */
    public int size() {
        return operation.size();
    }

    /**
     * The page that was read. It holds the id of the reader.
     *
     * @return the event; empty before the end of a read, after a failed read, and for other operations
     */
    public Optional<FeedRead> read() {
        return read;
    }

    /**
     * How many fan-out tasks have been finished so far.
     *
     * @return the number; zero for other operations
     */
    public int finishedTasks() {
        return finishedTasks;
    }

    /**
     * How many fan-out tasks have failed so far.
     *
     * @return the number; zero for other operations
     */
    public int failedTasks() {
        return failedTasks;
    }

    void read(FeedRead event) {
        read = Optional.of(event);
    }

    void taskFinished() {
        finishedTasks++;
    }

    void taskFailed() {
        failedTasks++;
    }
}
