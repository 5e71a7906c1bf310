package io.feedkit.internal;

import java.util.LinkedHashMap;
import java.util.Map;

/** When something was last done for a reader; remembers a bounded number of readers, least recently used first out. Thread-safe. */
final class RecentReaders {

    private static final int MOST = 100_000;

    private final Map<String, Long> last = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    /** Says whether it is {@code everyMillis} since the last yes for the reader, and remembers a yes. */
    synchronized boolean isDue(String reader, long nowMillis, long everyMillis) {
        Long before = last.get(reader);
        if (before != null && nowMillis - before < everyMillis) {
            return false;
        }
        last.put(reader, nowMillis);
        return true;
    }

    /** Takes the last yes for the reader back. */
    synchronized void forget(String reader) {
        last.remove(reader);
    }
}
