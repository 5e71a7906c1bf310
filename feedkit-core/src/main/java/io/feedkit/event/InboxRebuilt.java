package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.time.Duration;

/**
 * An inbox was built from the outboxes, or from a copy.
 *
 * @since 0.1.0
 */
public final class InboxRebuilt {

    private record Values(String reader, int posts, boolean fromCopy, Duration took) {}

    private final Values values;

    private InboxRebuilt(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero.
     *
     * @param reader whose inbox it is
     * @return a builder
     */
    public static Builder builder(String reader) {
        return new Builder(nonNull("reader", reader));
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
     * How many posts were collected.
     *
     * @return the number
     */
    public int posts() {
        return values.posts;
    }

    /**
     * Whether it was built from a {@linkplain io.feedkit.spi.InboxCopies copy}, and what was appended since.
     *
     * @return false if all posts were read from the outboxes
     */
    public boolean fromCopy() {
        return values.fromCopy;
    }

    /**
     * How long the build took.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InboxRebuilt that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "InboxRebuilt");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final String reader;
        private int posts;
        private boolean fromCopy;
        private Duration took = Duration.ZERO;

        private Builder(String reader) {
            this.reader = reader;
        }

        /**
         * Sets {@link InboxRebuilt#posts}.
         *
         * @param posts how many posts were collected
         * @return this builder
         */
        public Builder posts(int posts) {
            this.posts = posts;
            return this;
        }

        /**
         * Sets {@link InboxRebuilt#fromCopy}.
         *
         * @param fromCopy whether it was built from a copy
         * @return this builder
         */
        public Builder fromCopy(boolean fromCopy) {
            this.fromCopy = fromCopy;
            return this;
        }

        /**
         * Sets {@link InboxRebuilt#took}.
         *
         * @param took how long the build took
         * @return this builder
         */
        public Builder took(Duration took) {
            this.took = nonNull("took", took);
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public InboxRebuilt build() {
            return new InboxRebuilt(new Values(reader, posts, fromCopy, took));
        }
    }
}
