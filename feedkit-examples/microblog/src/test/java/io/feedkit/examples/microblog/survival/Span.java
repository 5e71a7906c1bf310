package io.feedkit.examples.microblog.survival;

/** A change, from its first request until it was answered. Times are of {@link System#nanoTime()}. Thread-safe. */
final class Span {

    private final long began = System.nanoTime();
    private volatile long returned;
    private volatile boolean ended;

    void end() {
        returned = System.nanoTime();
        ended = true;
    }

    boolean beganBy(long time) {
        return began - time <= 0;
    }

    boolean returnedBy(long time) {
        return ended && returned - time <= 0;
    }

    /** How long ago it was answered, or 0. */
    long sinceReturn(long now) {
        return ended ? now - returned : 0;
    }

    long began() {
        return began;
    }
}
