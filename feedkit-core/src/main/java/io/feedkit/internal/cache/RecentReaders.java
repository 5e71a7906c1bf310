package io.feedkit.internal.cache;

/**
 * Remembers when something was last done for a reader, for a bounded number of readers. Thread-safe.
 */
public final class RecentReaders {

    static final int MOST = 100_000;

    private final BoundedCache<String, Long> last = new BoundedCache<>(MOST);

    /** Returns true at most once in {@code everyMillis} for a reader, and remembers the time of the last true. */
    public synchronized boolean isDue(String reader, long nowMillis, long everyMillis) {
        if (isWithin(reader, nowMillis, everyMillis)) {
            return false;
        }
        last.put(reader, nowMillis);
        return true;
    }

    /**
     * Returns whether the last time for the reader is less than {@code millis} ago. If the clock was set back, a time
     * in the future does not count.
     */
    public synchronized boolean isWithin(String reader, long nowMillis, long millis) {
        Long before = last.get(reader);
        return before != null && before <= nowMillis && nowMillis - before < millis;
    }

    /** Remembers a time for the reader. */
    public synchronized void note(String reader, long nowMillis) {
        last.put(reader, nowMillis);
    }

    /** How many readers are remembered. */
    synchronized int size() {
        return last.size();
    }

    /** Removes the last time for the reader. */
    public synchronized void forget(String reader) {
        last.remove(reader);
    }
}
