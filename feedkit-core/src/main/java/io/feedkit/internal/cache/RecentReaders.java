package io.feedkit.internal.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When something was last done for a reader; remembers a bounded number of readers, least recently used first out.
 * Thread-safe.
 */
public final class RecentReaders {

    static final int MOST = 100_000;

    private final Map<String, Long> last = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    /** Says whether it is {@code everyMillis} since the last yes for the reader, and remembers a yes. */
    public synchronized boolean isDue(String reader, long nowMillis, long everyMillis) {
        if (isWithin(reader, nowMillis, everyMillis)) {
            return false;
        }
        last.put(reader, nowMillis);
        return true;
    }

    /**
     * Says whether the last time for the reader is less than so long ago; a time ahead of a clock that was set back is
     * not.
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

    /** Takes the last yes for the reader back. */
    public synchronized void forget(String reader) {
        last.remove(reader);
    }
}
