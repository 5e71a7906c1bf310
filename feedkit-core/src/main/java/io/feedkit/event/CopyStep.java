package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Duration;
import java.util.Optional;

/**
 * What happened to a {@linkplain io.feedkit.spi.InboxCopies copy} of an inbox.
 *
 * @since 0.1.0
 */
@Beta
public final class CopyStep {

    /** What happened. */
    public enum Outcome {
        /** An inbox was copied. */
        MADE,
        /** An inbox was built from the copy. */
        USED,
        /** A copy was found that cannot be used. The inbox is built without it, and copied anew. */
        UNUSABLE,
        /** The store of copies failed or was too slow. A later read copies the inbox. */
        FAILED
    }

    private record Values(String reader, Outcome outcome, Optional<String> reason, Duration took) {}

    private final Values values;

    private CopyStep(Values values) {
        this.values = values;
    }

    /**
     * Makes the event of a copy that was made or used.
     *
     * @param reader whose inbox it is
     * @param outcome {@link Outcome#MADE} or {@link Outcome#USED}
     * @param took how long it took
     * @return the event
     */
    public static CopyStep done(String reader, Outcome outcome, Duration took) {
        return new CopyStep(new Values(
                nonNull("reader", reader), nonNull("outcome", outcome), Optional.empty(), nonNull("took", took)));
    }

    /**
     * Makes the event of a copy that was not made, or is not used.
     *
     * @param reader whose inbox it is
     * @param outcome {@link Outcome#UNUSABLE} or {@link Outcome#FAILED}
     * @param reason why, in one line
     * @param took how long it took
     * @return the event
     */
    public static CopyStep without(String reader, Outcome outcome, String reason, Duration took) {
        return new CopyStep(new Values(
                nonNull("reader", reader),
                nonNull("outcome", outcome),
                Optional.of(nonNull("reason", reason)),
                nonNull("took", took)));
    }

    /**
     * Whose inbox it is.
     *
     * @return the reader's user id
     */
    public String reader() {
        return values.reader;
    }

    /**
     * What happened.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return values.outcome;
    }

    /**
     * Why the copy was not made, or is not used: the failure of the store, or {@code INCOMPLETE}, {@code DAMAGED},
     * {@code OTHER_VERSION} or {@code OUTDATED}.
     *
     * @return a text in one line; empty for {@link Outcome#MADE} and {@link Outcome#USED}
     */
    public Optional<String> reason() {
        return values.reason;
    }

    /**
     * How long the calls to the stores took.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CopyStep that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "CopyStep");
    }
}
