package io.feedkit.fanout;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.time.Duration;
import java.util.Map;

/**
 * How far the fan-out is behind. Set an alarm on the age. The age is zero while the queue holds only work that waits on
 * purpose and work that is repeated.
 *
 * <p>A store may stop counting at {@value io.feedkit.spi.FanoutLog#COUNTED_AT_MOST} tasks of each kind.
 *
 * @since 0.1.0
 */
public final class Backlog {

    private record Values(
            long due,
            long deferred,
            Duration age,
            long deadLetters,
            long lent,
            Map<TaskKind, Long> byKind,
            QueueTraffic queue) {}

    private final Values values;

    private Backlog(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of a backlog. Values that are not set are zero.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Tasks that a worker has claimed or could claim now.
     *
     * @return the number
     */
    public long due() {
        return values.due;
    }

    /**
     * Tasks that cannot be claimed yet. These are retractions, active pushes that are slowed down, tasks that wait for
     * a retry after a failure, and tasks of posts that are held back until their time.
     *
     * @return the number
     */
    public long deferred() {
        return values.deferred;
    }

    /**
     * How long the oldest post has been waiting to show to its readers, since its time of publication; zero if no post
     * is waiting. A push counts until all followers have the post. A pulled post counts until its task has ensured its
     * entry in the register. A post that was once visible to all its readers does not count again. So a task that is
     * repeated after a suspected loss, or as a replayed dead letter, does not count. Catch-ups of pulled authors,
     * retractions and active pushes do not count either. A push that waits for an unreachable store counts until it is
     * done. Meanwhile its author is pulled, so that the post shows to all readers whose inboxes can be read.
     *
     * @return the time
     */
    public Duration age() {
        return values.age;
    }

    /**
     * Tasks that failed too often.
     *
     * @return the number
     */
    public long deadLetters() {
        return values.deadLetters;
    }

    /**
     * Due tasks that any engine has lent to a fan-out queue, and that no worker has taken yet.
     *
     * @return the number
     */
    public long lent() {
        return values.lent;
    }

    /**
     * How many unfinished tasks there are of each kind. If there are more than about ten thousand, only those that are
     * due first are counted.
     *
     * @return the numbers; kinds without tasks are left out. Empty if the store cannot count by kind
     */
    public Map<TaskKind, Long> byKind() {
        return values.byKind;
    }

    /**
     * The traffic between this engine and its fan-out queue since the engine was built.
     *
     * @return the traffic
     */
    public QueueTraffic queue() {
        return values.queue;
    }

    /**
     * The number of all unfinished tasks.
     *
     * @return due and deferred tasks
     */
    public long tasks() {
        return due() + deferred();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Backlog that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "Backlog");
    }

    /** Makes a backlog. For use by one thread. */
    public static final class Builder {

        private long due;
        private long deferred;
        private Duration age = Duration.ZERO;
        private long deadLetters;
        private long lent;
        private Map<TaskKind, Long> byKind = Map.of();
        private QueueTraffic queue = QueueTraffic.NONE;

        private Builder() {}

        /**
         * Sets {@link Backlog#due}.
         *
         * @param due tasks that a worker has claimed or could claim now
         * @return this builder
         */
        public Builder due(long due) {
            this.due = due;
            return this;
        }

        /**
         * Sets {@link Backlog#deferred}.
         *
         * @param deferred tasks that cannot be claimed yet
         * @return this builder
         */
        public Builder deferred(long deferred) {
            this.deferred = deferred;
            return this;
        }

        /**
         * Sets {@link Backlog#age}.
         *
         * @param age how long the oldest post has been waiting to show to its readers, since its time of publication;
         *     zero if no post is waiting
         * @return this builder
         */
        public Builder age(Duration age) {
            this.age = nonNull("age", age);
            return this;
        }

        /**
         * Sets {@link Backlog#deadLetters}.
         *
         * @param deadLetters tasks that failed too often
         * @return this builder
         */
        public Builder deadLetters(long deadLetters) {
            this.deadLetters = deadLetters;
            return this;
        }

        /**
         * Sets {@link Backlog#lent}.
         *
         * @param lent due tasks that any engine has lent to a fan-out queue, and that no worker has taken yet
         * @return this builder
         */
        public Builder lent(long lent) {
            this.lent = lent;
            return this;
        }

        /**
         * Sets {@link Backlog#byKind}.
         *
         * @param byKind how many unfinished tasks there are of each kind
         * @return this builder
         */
        public Builder byKind(Map<TaskKind, Long> byKind) {
            this.byKind = Map.copyOf(nonNull("byKind", byKind));
            return this;
        }

        /**
         * Sets {@link Backlog#queue}.
         *
         * @param queue the traffic between this engine and its fan-out queue since the engine was built
         * @return this builder
         */
        public Builder queue(QueueTraffic queue) {
            this.queue = nonNull("queue", queue);
            return this;
        }

        /**
         * Makes a backlog.
         *
         * @return the object
         */
        public Backlog build() {
            return new Backlog(new Values(due, deferred, age, deadLetters, lent, byKind, queue));
        }
    }
}
