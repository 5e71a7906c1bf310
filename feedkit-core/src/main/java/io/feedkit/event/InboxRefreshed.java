package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

/**
 * An inbox was compared with the outboxes.
 *
 * @since 0.1.0
 */
public final class InboxRefreshed {

    private record Values(String reader, int added, int removed, boolean afterSuspectedLoss) {}

    private final Values values;

    private InboxRefreshed(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of an event. Values that are not set are zero or false.
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
     * How many missing posts were inserted.
     *
     * @return the number
     */
    public int added() {
        return values.added;
    }

    /**
     * How many stale posts were removed.
     *
     * @return the number
     */
    public int removed() {
        return values.removed;
    }

    /**
     * Whether the inbox was compared because of a suspected loss. See {@link DeliveryLossSuspected}. If so, the missing
     * posts had been lost, or had not been delivered yet.
     *
     * @return true if the comparison follows a suspected loss
     */
    public boolean afterSuspectedLoss() {
        return values.afterSuspectedLoss;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InboxRefreshed that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "InboxRefreshed");
    }

    /** Makes an event. For use by one thread. */
    public static final class Builder {

        private final String reader;
        private int added;
        private int removed;
        private boolean afterSuspectedLoss;

        private Builder(String reader) {
            this.reader = reader;
        }

        /**
         * Sets {@link InboxRefreshed#added}.
         *
         * @param added how many missing posts were inserted
         * @return this builder
         */
        public Builder added(int added) {
            this.added = added;
            return this;
        }

        /**
         * Sets {@link InboxRefreshed#removed}.
         *
         * @param removed how many stale posts were removed
         * @return this builder
         */
        public Builder removed(int removed) {
            this.removed = removed;
            return this;
        }

        /**
         * Sets {@link InboxRefreshed#afterSuspectedLoss}.
         *
         * @param afterSuspectedLoss whether the inbox was compared because of a suspected loss
         * @return this builder
         */
        public Builder afterSuspectedLoss(boolean afterSuspectedLoss) {
            this.afterSuspectedLoss = afterSuspectedLoss;
            return this;
        }

        /**
         * Makes an event.
         *
         * @return the event
         */
        public InboxRefreshed build() {
            return new InboxRefreshed(new Values(reader, added, removed, afterSuspectedLoss));
        }
    }
}
