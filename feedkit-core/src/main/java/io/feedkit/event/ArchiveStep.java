package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Duration;
import java.util.Optional;

/**
 * A step of the move of old posts to the archive: a batch was moved, or the step failed and is repeated.
 *
 * @since 0.1.0
 */
@Beta
public final class ArchiveStep {

    private record Values(int moved, Duration took, Optional<String> failure) {}

    private final Values values;

    private ArchiveStep(Values values) {
        this.values = values;
    }

    /**
     * Makes the event of a batch that was moved.
     *
     * @param moved how many posts were moved
     * @param took how long it took
     * @return the event
     */
    public static ArchiveStep moved(int moved, Duration took) {
        return new ArchiveStep(new Values(moved, nonNull("took", took), Optional.empty()));
    }

    /**
     * Makes the event of a step that failed.
     *
     * @param failure the failure, in one line
     * @param took how long it took
     * @return the event
     */
    public static ArchiveStep failed(String failure, Duration took) {
        return new ArchiveStep(new Values(0, nonNull("took", took), Optional.of(nonNull("failure", failure))));
    }

    /**
     * How many posts this step removed from the outbox, after they were copied to the archive. Posts that another
     * engine moved at the same time do not count.
     *
     * @return posts; zero if the step failed
     */
    public int moved() {
        return values.moved;
    }

    /**
     * How long the step took, without the pause after it.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    /**
     * The failure. The engine repeats the step; no post is lost, and none is shown twice.
     *
     * @return a text in one line; empty if the batch was moved
     */
    public Optional<String> failure() {
        return values.failure;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ArchiveStep that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "ArchiveStep");
    }
}
