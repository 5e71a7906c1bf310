package io.feedkit.internal.presence;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.presence.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The readers who have connections to this engine, with the number of their connections. Connecting and disconnecting
 * only change this map. Thread-safe.
 */
public final class ConnectedReaders {

    /** A connected reader. The map's lock of the reader guards {@code connections}. */
    static final class Connected {

        private final String reader;
        private final long since;
        private int connections;
        private volatile long renewedAt;

        private Connected(String reader, long since) {
            this.reader = reader;
            this.since = since;
        }

        String reader() {
            return reader;
        }

        /** When the reader connected, by the engine's clock. */
        long since() {
            return since;
        }

        /** When the reader's inbox was last renewed because of the connection; 0 if never. */
        long renewedAt() {
            return renewedAt;
        }

        void renewed(long now) {
            renewedAt = now;
        }
    }

    private final EngineSettings settings;
    private final Runnable arrived;
    private final Consumer<String> left;
    private final ConcurrentHashMap<String, Connected> readers = new ConcurrentHashMap<>();
    private final Set<String> unreported = ConcurrentHashMap.newKeySet();

    /**
     * @param arrived is called when a reader has connected
     * @param left is called when a reader's last connection was closed
     */
    ConnectedReaders(EngineSettings settings, Runnable arrived, Consumer<String> left) {
        this.settings = settings;
        this.arrived = arrived;
        this.left = left;
    }

    /** Begins a connection of a reader, which the caller closes. */
    public Connection connect(String reader) {
        Connected connected = readers.compute(reader, (same, known) -> {
            Connected present = known == null ? new Connected(reader, settings.now()) : known;
            if (present.connections++ == 0) {
                unreported.add(reader);
            }
            return present;
        });
        arrived.run();
        return new CountedConnection(connected);
    }

    private final class CountedConnection implements Connection {

        private final Connected connected;
        private final AtomicBoolean closed = new AtomicBoolean();

        CountedConnection(Connected connected) {
            this.connected = connected;
        }

        @Override
        public String reader() {
            return connected.reader;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                disconnect(connected);
            }
        }

        @Override
        public String toString() {
            return "Connection[" + connected.reader + (closed.get() ? ", closed]" : "]");
        }
    }

    /** Connections that were begun before the reader was forgotten no longer count. */
    private void disconnect(Connected connected) {
        AtomicBoolean last = new AtomicBoolean();
        readers.computeIfPresent(connected.reader, (reader, present) -> {
            if (present != connected || --present.connections > 0) {
                return present;
            }
            last.set(true);
            unreported.remove(reader);
            return null;
        });
        if (last.get()) {
            left.accept(connected.reader);
        }
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    boolean contains(String reader) {
        return readers.containsKey(reader);
    }

    /** When a reader connected; 0 if the reader is not connected. */
    long since(String reader) {
        Connected connected = readers.get(reader);
        return connected == null ? 0 : connected.since();
    }

    void forEach(Consumer<Connected> action) {
        readers.values().forEach(action);
    }

    /** Lists the readers who have connected and were not reported since. */
    void forEachUnreported(Consumer<Connected> action) {
        unreported.forEach(reader -> {
            Connected connected = readers.get(reader);
            if (connected != null) {
                action.accept(connected);
            }
        });
    }

    boolean hasUnreported() {
        return !unreported.isEmpty();
    }

    void reported(String reader) {
        unreported.remove(reader);
    }

    /** Ends all connections of a reader. */
    void forget(String reader) {
        readers.remove(reader);
        unreported.remove(reader);
    }
}
