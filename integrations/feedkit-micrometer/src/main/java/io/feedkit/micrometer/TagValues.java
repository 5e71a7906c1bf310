package io.feedkit.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the values of a tag that FeedKit does not choose, such as names of exceptions. Without a limit, a host that
 * makes names from ids would add meters for ever. Thread-safe.
 */
final class TagValues {

    /** How many different values a tag has, before all further values become {@link #OTHER}. */
    static final int MOST = 100;

    static final String OTHER = "other";

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    String limited(String value) {
        return known.contains(value) || isAdded(value) ? value : OTHER;
    }

    private synchronized boolean isAdded(String value) {
        if (known.size() < MOST) {
            known.add(value);
        }
        return known.contains(value);
    }
}
