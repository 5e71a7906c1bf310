package io.feedkit.internal.live;

import io.feedkit.spi.KeyRange;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The connected followers of one author. Thread-safe. */
final class Followers {

    private static final Comparator<Connection> BY_READER = Comparator.comparing(Connection::reader);

    /** Fewer followers are searched one by one. */
    private static final int MANY = 64;

    private final String author;
    private final ReentrantLock lock = new ReentrantLock();
    private Connection[] connections = new Connection[1];
    private int size;
    private boolean sorted = true;

    Followers(String author) {
        this.author = author;
    }

    String author() {
        return author;
    }

    void add(Connection connection) {
        lock.lock();
        try {
            if (size == connections.length) {
                connections = Arrays.copyOf(connections, size + (size >> 1) + 1);
            }
            sorted = sorted && (size == 0 || BY_READER.compare(connections[size - 1], connection) < 0);
            connections[size++] = connection;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a connection, and returns whether no other is left. */
    boolean remove(Connection connection) {
        lock.lock();
        try {
            int place = size - 1;
            while (place >= 0 && connections[place] != connection) {
                place--;
            }
            if (place >= 0) {
                size--;
                sorted = sorted && place == size;
                connections[place] = connections[size];
                Arrays.fill(connections, size, size + 1, null);
            }
            return size == 0;
        } finally {
            lock.unlock();
        }
    }

    /** The connections of the followers in a range, as they are now. */
    List<Connection> in(KeyRange range) {
        lock.lock();
        try {
            if (range.equals(KeyRange.ALL)) {
                return Arrays.asList(Arrays.copyOf(connections, size));
            }
            if (size < MANY) {
                return Arrays.stream(connections, 0, size)
                        .filter(connection -> range.contains(connection.reader()))
                        .toList();
            }
            if (!sorted) {
                Arrays.sort(connections, 0, size, BY_READER);
                sorted = true;
            }
            return Arrays.asList(
                    Arrays.copyOfRange(connections, firstAtLeast(range.from()), firstAtLeast(range.below())));
        } finally {
            lock.unlock();
        }
    }

    private int firstAtLeast(String id) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (connections[middle].reader().compareTo(id) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
