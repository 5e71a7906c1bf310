package io.feedkit.memory;

import io.feedkit.spi.RankSnapshots;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The orders of ranked feeds, in the order in which they were saved. Each save removes those at the front that have
 * expired. If all together take too much memory, the oldest are removed before their time.
 */
final class MemoryRankSnapshots implements RankSnapshots {

    /** The most bytes of all snapshots: some 10,000 walks of 500 posts. */
    static final long MOST_BYTES_OF_ALL = 64L << 20;

    /** What a snapshot takes beside its content: the entries of two maps, the ids, and the header of the array. */
    private static final int OVERHEAD = 400;

    private record Key(String reader, String name) {}

    private static final class Saved {

        private final byte[] order;
        private final long endsAt;

        Saved(byte[] order, long endsAt) {
            this.order = order;
            this.endsAt = endsAt;
        }

        int bytes() {
            return order.length + OVERHEAD;
        }
    }

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Saved> saved = new LinkedHashMap<>();
    private final Map<String, Deque<Key>> ofReaders = new HashMap<>();
    private long bytes;

    MemoryRankSnapshots(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void save(String reader, String name, byte[] order, long lifetimeMillis) {
        long now = clock.millis();
        Key key = new Key(reader, name);
        Saved added = new Saved(order.clone(), Deadline.of(now, lifetimeMillis));
        lock.lock();
        try {
            remove(key);
            saved.put(key, added);
            bytes += added.bytes();
            Deque<Key> ofReader = ofReaders.computeIfAbsent(reader, id -> new ArrayDeque<>());
            ofReader.addLast(key);
            if (ofReader.size() > KEPT) {
                remove(ofReader.getFirst());
            }
            removeFirst(now);
        } finally {
            lock.unlock();
        }
    }

    private void removeFirst(long now) {
        Iterator<Map.Entry<Key, Saved>> eldest = saved.entrySet().iterator();
        while (eldest.hasNext()) {
            Map.Entry<Key, Saved> entry = eldest.next();
            if (entry.getValue().endsAt > now && bytes <= MOST_BYTES_OF_ALL) {
                return;
            }
            eldest.remove();
            forgetKey(entry.getKey(), entry.getValue());
        }
    }

    private void remove(Key key) {
        Saved removed = saved.remove(key);
        if (removed != null) {
            forgetKey(key, removed);
        }
    }

    private void forgetKey(Key key, Saved removed) {
        bytes -= removed.bytes();
        Deque<Key> ofReader = ofReaders.get(key.reader());
        if (ofReader != null) {
            ofReader.remove(key);
            if (ofReader.isEmpty()) {
                ofReaders.remove(key.reader());
            }
        }
    }

    @Override
    public Optional<byte[]> load(String reader, String name) {
        @Nullable Saved found;
        lock.lock();
        try {
            found = saved.get(new Key(reader, name));
        } finally {
            lock.unlock();
        }
        return found == null || found.endsAt <= clock.millis() ? Optional.empty() : Optional.of(found.order.clone());
    }

    @Override
    public void forget(Collection<String> readers) {
        lock.lock();
        try {
            for (String reader : readers) {
                Deque<Key> ofReader = ofReaders.remove(reader);
                if (ofReader != null) {
                    for (Key key : ofReader) {
                        remove(key);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many snapshots are kept, and how many bytes they take. */
    long[] size() {
        lock.lock();
        try {
            return new long[] {saved.size(), bytes};
        } finally {
            lock.unlock();
        }
    }
}
