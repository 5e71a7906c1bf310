package io.feedkit.internal.live;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The readers who are connected to this engine, and an index from each author to the connected followers. Thread-safe.
 */
final class ConnectedReaders {

    private final Map<String, Connection> readers = new ConcurrentHashMap<>();
    private final Map<String, Followers> authors = new ConcurrentHashMap<>();
    private final Function<String, Runnable> onArrival;

    /**
     * @param onArrival is called with each reader who was not connected; what it returns is called when the reader has
     *     left
     */
    ConnectedReaders(Function<String, Runnable> onArrival) {
        this.onArrival = onArrival;
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    int size() {
        return readers.size();
    }

    Collection<Connection> all() {
        return readers.values();
    }

    @Nullable
    Connection find(String reader) {
        return readers.get(reader);
    }

    /** The connection of a reader, with one more handle. */
    Connection retain(String reader) {
        return requireNonNull(readers.compute(reader, (same, found) -> {
            Connection connection = found == null ? new Connection(reader, onArrival.apply(reader)) : found;
            connection.retain();
            return connection;
        }));
    }

    /** Gives back a handle. With the last one the reader is no longer connected. */
    void release(Connection connection) {
        boolean[] left = new boolean[1];
        readers.computeIfPresent(connection.reader(), (same, found) -> {
            left[0] = found == connection && found.release();
            return left[0] ? null : found;
        });
        if (left[0]) {
            clear(connection);
            connection.left();
        }
    }

    /** Whether a connection is still in use. */
    boolean isConnected(Connection connection) {
        return readers.get(connection.reader()) == connection;
    }

    /**
     * Sets the followees of a connection as they were loaded, unless the graph has changed since.
     *
     * @param graphChanges the connection's count of changes before the followees were loaded
     * @return false, and nothing was changed, if the followees must be loaded again
     */
    boolean index(Connection connection, Set<String> followees, long graphChanges) {
        connection.indexing().lock();
        try {
            boolean current = connection.graphChanges() == graphChanges;
            if (current) {
                set(connection, followees);
                connection.loadedAt(graphChanges);
            }
            return current;
        } finally {
            connection.indexing().unlock();
        }
    }

    /** Adds followees to a connection, or removes them. */
    void change(Connection connection, Collection<String> changed, boolean following) {
        connection.indexing().lock();
        try {
            connection.countGraphChange();
            Set<String> followees = new HashSet<>(connection.followeeIds());
            if (following) {
                followees.addAll(changed);
            } else {
                followees.removeAll(changed);
            }
            set(connection, followees);
        } finally {
            connection.indexing().unlock();
        }
    }

    private void clear(Connection connection) {
        connection.indexing().lock();
        try {
            set(connection, Set.of());
        } finally {
            connection.indexing().unlock();
        }
    }

    private void set(Connection connection, Set<String> followees) {
        Set<String> added = new HashSet<>(isConnected(connection) ? followees : Set.of());
        List<Followers> now = new ArrayList<>(added.size());
        for (Followers each : connection.followees()) {
            if (added.remove(each.author())) {
                now.add(each);
            } else {
                leave(each.author(), connection);
            }
        }
        added.forEach(author -> now.add(join(author, connection)));
        connection.followees(now.toArray(Followers[]::new));
    }

    private Followers join(String author, Connection connection) {
        return requireNonNull(authors.compute(author, (same, found) -> {
            Followers followers = found == null ? new Followers(author) : found;
            followers.add(connection);
            return followers;
        }));
    }

    private void leave(String author, Connection connection) {
        authors.computeIfPresent(author, (same, followers) -> followers.remove(connection) ? null : followers);
    }

    boolean isFollowed(String author) {
        return authors.containsKey(author);
    }

    /** The connected followers of an author in a range. */
    List<Connection> followers(String author, KeyRange range) {
        Followers followers = authors.get(author);
        return followers == null ? List.of() : followers.in(range);
    }

    /** Visits all connections of a copy, so that connections may come and go meanwhile. */
    void forEach(Consumer<Connection> visitor) {
        Arrays.asList(readers.values().toArray(Connection[]::new)).forEach(visitor);
    }
}
