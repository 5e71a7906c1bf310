package io.feedkit.internal.unread;

import io.feedkit.internal.cache.BoundedCache;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Remembers the seen marks that this engine has read, or has changed since. A count may assume them while they are read
 * again, so that both take one round trip; a count never ends with a mark that was not read during it. The size of all
 * marks is bounded. Thread-safe.
 */
final class KnownMarks {

    /** The most posts that all remembered marks list. Each takes about 40 bytes. */
    static final int MOST_LISTED = 1_000_000;

    /** The size of a mark that lists no posts, as a number of listed posts. */
    private static final int FIXED = 5;

    private final SeenMarks seenMarks;
    private final BoundedCache<String, SeenPosts> known = new BoundedCache<>(MOST_LISTED, seen -> FIXED + seen.size());

    KnownMarks(SeenMarks seenMarks) {
        this.seenMarks = seenMarks;
    }

    /** The marks that some readers had when they were read last, of those that are remembered. */
    Map<String, SeenPosts> remembered(List<String> readers) {
        Map<String, SeenPosts> marks = new HashMap<>();
        for (String reader : readers) {
            SeenPosts seen = known.get(reader);
            if (seen != null) {
                marks.put(reader, seen);
            }
        }
        return marks;
    }

    /** Reads marks. */
    Map<String, SeenPosts> read(List<String> readers) {
        List<SeenPosts> seen = seenMarks.lastSeen(readers);
        Map<String, SeenPosts> marks = new LinkedHashMap<>();
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            marks.put(reader, seen.get(i));
            SeenPosts before = known.get(reader);
            if (before == null || !before.equals(seen.get(i))) {
                known.put(reader, seen.get(i));
            }
        }
        return marks;
    }

    /** Assumes that this engine's change of a mark is the last one. */
    void changed(Seen change, BinaryOperator<SeenPosts> after) {
        SeenPosts before = known.get(change.reader());
        if (before != null) {
            known.put(change.reader(), after.apply(before, change.posts()));
        }
    }

    void forget(String reader) {
        known.remove(reader);
    }
}
