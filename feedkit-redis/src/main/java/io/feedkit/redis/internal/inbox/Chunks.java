package io.feedkit.redis.internal.inbox;

import java.util.ArrayList;
import java.util.List;

/**
 * How many readers one call is about. A server does nothing else during a script, and a hundred entries in order take it a quarter of a millisecond, very late ones some; the
 * price of a call is a hundredth by then, so larger ones would gain nothing.
 */
final class Chunks {

    private static final int READERS = 100;

    private Chunks() {}

    static List<List<String>> of(List<String> readers) {
        List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < readers.size(); from += READERS) {
            chunks.add(readers.subList(from, Math.min(from + READERS, readers.size())));
        }
        return chunks;
    }
}
