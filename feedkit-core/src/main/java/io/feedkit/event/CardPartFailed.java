package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.time.Duration;

/**
 * A part of the cards of a page could not be loaded, and the page has the part's fallback. There is at most one such
 * event for each part, wave and page, and one more if the host's function for keys failed.
 *
 * @since 0.1.0
 */
public final class CardPartFailed {

    /** How a part failed. */
    public enum Kind {

        /** The host's function threw, or returned null. */
        FAILED,

        /** There was no answer within the limit. */
        LATE,

        /** The call did not begin: the executor refused it, or too many late calls of the part are still running. */
        REFUSED,

        /** The reading thread was interrupted while it waited. */
        INTERRUPTED
    }

    private record Values(String part, Kind kind, int keys, Duration took, String reason) {}

    private final Values values;

    private CardPartFailed(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero or empty.
     *
     * @param part the name of the part
     * @param kind how it failed
     * @return a builder
     */
    public static Builder builder(String part, Kind kind) {
        return new Builder(nonNull("part", part), nonNull("kind", kind));
    }

    /**
     * The part.
     *
     * @return its name
     */
    public String part() {
        return values.part;
    }

    /**
     * How the part failed.
     *
     * @return the kind
     */
    public Kind kind() {
        return values.kind;
    }

    /**
     * How many keys the call had; if the host's function for keys failed, for how many cards.
     *
     * @return the number
     */
    public int keys() {
        return values.keys;
    }

    /**
     * How long after the beginning of the wave the failure was noticed; zero if the host's function for keys failed.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    /**
     * The failure.
     *
     * @return a text in one line
     */
    public String reason() {
        return values.reason;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CardPartFailed that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "CardPartFailed");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final String part;
        private final Kind kind;
        private int keys;
        private Duration took = Duration.ZERO;
        private String reason = "";

        private Builder(String part, Kind kind) {
            this.part = part;
            this.kind = kind;
        }

        /**
         * Sets {@link CardPartFailed#keys}.
         *
         * @param keys how many keys the call had
         * @return this builder
         */
        public Builder keys(int keys) {
            this.keys = keys;
            return this;
        }

        /**
         * Sets {@link CardPartFailed#took}.
         *
         * @param took how long after the beginning of the wave the failure was noticed
         * @return this builder
         */
        public Builder took(Duration took) {
            this.took = nonNull("took", took);
            return this;
        }

        /**
         * Sets {@link CardPartFailed#reason}.
         *
         * @param reason the failure
         * @return this builder
         */
        public Builder reason(String reason) {
            this.reason = nonNull("reason", reason);
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public CardPartFailed build() {
            return new CardPartFailed(new Values(part, kind, keys, took, reason));
        }
    }
}
