package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.layout.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Readers that one call is about: a hundred at most. A server does nothing else during a script, and a hundred entries in order take it a quarter of a millisecond, very late ones some; the
 * price of a call is a hundredth by then, so larger ones would gain nothing.
 *
 * @param readers the readers; in a cluster they are of one bucket, and so their keys of one slot
 * @param places where each of them was among all
 */
record Chunk(List<String> readers, List<Integer> places) {

    private static final int READERS = 100;

    private Chunk() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    static List<Chunk> of(List<String> readers, boolean byBucket) {
        List<Chunk> chunks = new ArrayList<>();
        Map<Integer, Chunk> open = new TreeMap<>();
        for (int i = 0; i < readers.size(); i++) {
            int bucket = byBucket ? Keys.bucket(readers.get(i)) : 0;
            Chunk chunk = open.get(bucket);
            if (chunk == null || chunk.readers.size() == READERS) {
                chunk = new Chunk();
                chunks.add(chunk);
                open.put(bucket, chunk);
            }
            chunk.readers.add(readers.get(i));
            chunk.places.add(i);
        }
        return chunks;
    }
}
