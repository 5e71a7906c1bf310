package io.feedkit.memory;

/** Times ahead. */
final class Deadline {

    private Deadline() {}

    /** The time so many milliseconds from now, or the end of time. */
    static long of(long now, long millis) {
        long time = now + millis;
        return time < now ? Long.MAX_VALUE : time;
    }
}
