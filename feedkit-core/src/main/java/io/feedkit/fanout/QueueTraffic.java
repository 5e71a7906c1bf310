package io.feedkit.fanout;

import static io.feedkit.internal.check.Arguments.nonNull;

/**
 * The traffic between an engine and its fan-out queue.
 *
 * @since 0.1.0
 */
public final class QueueTraffic {

    /** No traffic. */
    public static final QueueTraffic NONE = builder().build();

    private record Values(
            long lent,
            long lapsed,
            long undelivered,
            long unconfirmed,
            long taken,
            long refused,
            long unreadable,
            long foreign,
            boolean blocked) {}

    private final Values values;

    private QueueTraffic(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of the traffic of a queue. Values that are not set are zero or false.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Tasks that the relay has lent and sent.
     *
     * @return the number
     */
    public long lent() {
        return values.lent;
    }

    /**
     * Tasks whose earlier loan had run out: a message was lost or came too late.
     *
     * @return the number
     */
    public long lapsed() {
        return values.lapsed;
    }

    /**
     * Lapsed tasks that the queue had confirmed, but that no worker had taken for two loans. The workers claim these
     * tasks from the store.
     *
     * @return the number
     */
    public long undelivered() {
        return values.undelivered;
    }

    /**
     * Messages that the queue refused, or did not confirm in time; their tasks went back to the log.
     *
     * @return the number
     */
    public long unconfirmed() {
        return values.unconfirmed;
    }

    /**
     * Tasks that workers have taken for a message.
     *
     * @return the number
     */
    public long taken() {
        return values.taken;
    }

    /**
     * Messages whose loan had run out or was taken already: late or repeated messages.
     *
     * @return the number
     */
    public long refused() {
        return values.refused;
    }

    /**
     * Messages that this version cannot read, which were moved to the queue's dead letters.
     *
     * @return the number
     */
    public long unreadable() {
        return values.unreadable;
    }

    /**
     * Messages of another source of truth, which were moved to the queue's dead letters: another deployment uses the
     * same queue.
     *
     * @return the number
     */
    public long foreign() {
        return values.foreign;
    }

    /**
     * Whether the queue took no messages, could not be reached, or did not deliver what it had confirmed. In the last
     * case the engine tries the queue with one task at a time, after pauses of one loan to eight loans.
     *
     * @return true if the queue could not be used
     */
    public boolean blocked() {
        return values.blocked;
    }

    /**
     * Adds later traffic.
     *
     * @param later the later traffic
     * @return the sums, and whether the queue is blocked after the later traffic
     */
    public QueueTraffic plus(QueueTraffic later) {
        nonNull("later", later);
        return builder()
                .lent(lent() + later.lent())
                .lapsed(lapsed() + later.lapsed())
                .undelivered(undelivered() + later.undelivered())
                .unconfirmed(unconfirmed() + later.unconfirmed())
                .taken(taken() + later.taken())
                .refused(refused() + later.refused())
                .unreadable(unreadable() + later.unreadable())
                .foreign(foreign() + later.foreign())
                .blocked(later.blocked())
                .build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueTraffic that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "QueueTraffic");
    }

    /** Makes the traffic of a queue. For use by one thread. */
    public static final class Builder {

        private long lent;
        private long lapsed;
        private long undelivered;
        private long unconfirmed;
        private long taken;
        private long refused;
        private long unreadable;
        private long foreign;
        private boolean blocked;

        private Builder() {}

        /**
         * Sets {@link QueueTraffic#lent}.
         *
         * @param lent tasks that the relay has lent and sent
         * @return this builder
         */
        public Builder lent(long lent) {
            this.lent = lent;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#lapsed}.
         *
         * @param lapsed tasks whose earlier loan had run out: a message was lost or came too late
         * @return this builder
         */
        public Builder lapsed(long lapsed) {
            this.lapsed = lapsed;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#undelivered}.
         *
         * @param undelivered lapsed tasks that the queue had confirmed, but that no worker had taken for two loans. The
         *     workers claim these tasks from the store
         * @return this builder
         */
        public Builder undelivered(long undelivered) {
            this.undelivered = undelivered;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#unconfirmed}.
         *
         * @param unconfirmed messages that the queue refused, or did not confirm in time; their tasks went back to the
         *     log
         * @return this builder
         */
        public Builder unconfirmed(long unconfirmed) {
            this.unconfirmed = unconfirmed;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#taken}.
         *
         * @param taken tasks that workers have taken for a message
         * @return this builder
         */
        public Builder taken(long taken) {
            this.taken = taken;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#refused}.
         *
         * @param refused messages whose loan had run out or was taken already: late or repeated messages
         * @return this builder
         */
        public Builder refused(long refused) {
            this.refused = refused;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#unreadable}.
         *
         * @param unreadable messages that this version cannot read, which were moved to the queue's dead letters
         * @return this builder
         */
        public Builder unreadable(long unreadable) {
            this.unreadable = unreadable;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#foreign}.
         *
         * @param foreign messages of another source of truth, which were moved to the queue's dead letters: another
         *     deployment uses the same queue
         * @return this builder
         */
        public Builder foreign(long foreign) {
            this.foreign = foreign;
            return this;
        }

        /**
         * Sets {@link QueueTraffic#blocked}.
         *
         * @param blocked whether the queue took no messages, could not be reached, or did not deliver what it had
         *     confirmed
         * @return this builder
         */
        public Builder blocked(boolean blocked) {
            this.blocked = blocked;
            return this;
        }

        /**
         * Makes the traffic of a queue.
         *
         * @return the object
         */
        public QueueTraffic build() {
            return new QueueTraffic(
                    new Values(lent, lapsed, undelivered, unconfirmed, taken, refused, unreadable, foreign, blocked));
        }
    }
}
