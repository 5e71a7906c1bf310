package io.feedkit.counter;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.time.Duration;

/**
 * How one process's write-behind store keeps up. Such a store keeps changes of counters in a cache, and writes them to
 * their source of truth later. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public final class WriteBehindStatus {

    private record Values(long written, long failures, Duration age, boolean cacheReachable) {}

    private final Values values;

    private WriteBehindStatus(Values values) {
        this.values = values;
    }

    /**
     * Returns a builder of a status. Values that are not set are zero or false.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * How many cells and members the successful flushes of this store have written to the source of truth, since the
     * store was created. Many changes of a cell are written as one.
     *
     * @return the number
     */
    public long written() {
        return values.written;
    }

    /**
     * Flushes of this store that failed since it was created. The next flush writes what a failed one did not.
     *
     * @return the number
     */
    public long failures() {
        return values.failures;
    }

    /**
     * The greatest age of an unwritten change: how long ago this store's last successful flush began, or how long ago
     * the store was created if none has succeeded. Other processes may have written the changes meanwhile.
     *
     * @return the time
     */
    public Duration age() {
        return values.age;
    }

    /**
     * Whether the cache answered the last reads. Otherwise reads return what the source has, without unwritten changes.
     *
     * @return whether reads see the unwritten changes
     */
    public boolean cacheReachable() {
        return values.cacheReachable;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WriteBehindStatus that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "WriteBehindStatus");
    }

    /** Makes a status. For use by one thread. */
    public static final class Builder {

        private long written;
        private long failures;
        private Duration age = Duration.ZERO;
        private boolean cacheReachable;

        private Builder() {}

        /**
         * Sets {@link WriteBehindStatus#written}.
         *
         * @param written the number of cells and members that were written
         * @return this builder
         */
        public Builder written(long written) {
            this.written = written;
            return this;
        }

        /**
         * Sets {@link WriteBehindStatus#failures}.
         *
         * @param failures the number of flushes that failed
         * @return this builder
         */
        public Builder failures(long failures) {
            this.failures = failures;
            return this;
        }

        /**
         * Sets {@link WriteBehindStatus#age}.
         *
         * @param age the greatest age of an unwritten change
         * @return this builder
         */
        public Builder age(Duration age) {
            this.age = nonNull("age", age);
            return this;
        }

        /**
         * Sets {@link WriteBehindStatus#cacheReachable}.
         *
         * @param cacheReachable whether the cache answered the last reads
         * @return this builder
         */
        public Builder cacheReachable(boolean cacheReachable) {
            this.cacheReachable = cacheReachable;
            return this;
        }

        /**
         * Makes a status.
         *
         * @return the status
         */
        public WriteBehindStatus build() {
            return new WriteBehindStatus(new Values(written, failures, age, cacheReachable));
        }
    }
}
