package io.feedkit.verify;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;

/**
 * How far a {@link io.feedkit.FeedEngine#verify} has come. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public final class VerifyProgress {

    /** What is compared, in this order. */
    public enum Stage {
        /** The tasks of the fan-out log. */
        TASKS,
        /** The pulled register, by author. */
        REGISTER,
        /** The follow graph, by user. */
        GRAPH,
        /** The inboxes, by reader. */
        INBOXES,
        /** The archive, by post of authors who also have rows in the outbox. Without an archive, it is left out. */
        ARCHIVE,
        /** The seen marks, by reader. */
        SEEN_MARKS
    }

    private record Values(Stage stage, long checked, long findings) {}

    private final Values values;

    private VerifyProgress(Values values) {
        this.values = values;
    }

    /**
     * Creates a state of progress.
     *
     * @param stage what is compared now
     * @param checked how many tasks, authors, users, readers or posts were compared in this stage
     * @param findings how many differences were found in all stages
     * @return the progress
     */
    public static VerifyProgress of(Stage stage, long checked, long findings) {
        return new VerifyProgress(new Values(nonNull("stage", stage), checked, findings));
    }

    /**
     * What is compared now.
     *
     * @return the stage
     */
    public Stage stage() {
        return values.stage;
    }

    /**
     * How much was compared in this stage.
     *
     * @return the number of tasks, authors, users, readers or posts
     */
    public long checked() {
        return values.checked;
    }

    /**
     * How many differences were found so far, in all stages.
     *
     * @return the number
     */
    public long findings() {
        return values.findings;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifyProgress that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "VerifyProgress");
    }
}
