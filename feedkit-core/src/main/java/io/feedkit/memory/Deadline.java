package io.feedkit.memory;

/** Times ahead. */
final class Deadline {

    private Deadline() {}

    /** The time {@code millis} milliseconds after {@code now}, at most {@link Long#MAX_VALUE}. */
    static long of(long now, long millis) {
        long time = now + millis;
        return time < now ? Long.MAX_VALUE : time;
    }
}
