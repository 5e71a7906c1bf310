package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.time.Duration;

/**
 * A page of a feed was read.
 *
 * @since 0.1.0
 */
public final class FeedRead {

    private record Values(String reader, int fromInbox, int fromOutboxes, int outboxCalls, Duration took) {}

    private final Values values;

    private FeedRead(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero.
     *
     * @param reader who read
     * @return a builder
     */
    public static Builder builder(String reader) {
        return new Builder(nonNull("reader", reader));
    }

    /**
     * Who read.
     *
     * @return the reader's user id
     */
    public String reader() {
        return values.reader;
    }

    /**
     * How many of the page's posts came from the inbox.
     *
     * @return the number
     */
    public int fromInbox() {
        return values.fromInbox;
    }

    /**
     * How many of the page's posts came from outboxes only.
     *
     * @return the number
     */
    public int fromOutboxes() {
        return values.fromOutboxes;
    }

    /**
     * How many calls the read made to the outbox.
     *
     * @return the number
     */
    public int outboxCalls() {
        return values.outboxCalls;
    }

    /**
     * How long the read took, callbacks included, and without the parts of cards.
     *
     * @return the time
     */
    public Duration took() {
        return values.took;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeedRead that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "FeedRead");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final String reader;
        private int fromInbox;
        private int fromOutboxes;
        private int outboxCalls;
        private Duration took = Duration.ZERO;

        private Builder(String reader) {
            this.reader = reader;
        }

        /**
         * Sets {@link FeedRead#fromInbox}.
         *
         * @param fromInbox how many of the page's posts came from the inbox
         * @return this builder
         */
        public Builder fromInbox(int fromInbox) {
            this.fromInbox = fromInbox;
            return this;
        }

        /**
         * Sets {@link FeedRead#fromOutboxes}.
         *
         * @param fromOutboxes how many of the page's posts came from outboxes only
         * @return this builder
         */
        public Builder fromOutboxes(int fromOutboxes) {
            this.fromOutboxes = fromOutboxes;
            return this;
        }

        /**
         * Sets {@link FeedRead#outboxCalls}.
         *
         * @param outboxCalls how many calls the read made to the outbox
         * @return this builder
         */
        public Builder outboxCalls(int outboxCalls) {
            this.outboxCalls = outboxCalls;
            return this;
        }

        /**
         * Sets {@link FeedRead#took}.
         *
         * @param took how long the read took, callbacks included
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
        public FeedRead build() {
            return new FeedRead(new Values(reader, fromInbox, fromOutboxes, outboxCalls, took));
        }
    }
}
