package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One open connection of a {@link RecoveringConnection}. Thread-safe. */
public final class OpenConnection {

    private static final int CLOSE_MILLIS = 1_000;

    private final Connection connection;
    private final Sockets sockets;
    private final Runnable onBroken;
    private volatile Optional<String> broken = Optional.empty();

    OpenConnection(Connection connection, Sockets sockets, Runnable onBroken) {
        this.connection = connection;
        this.sockets = sockets;
        this.onBroken = onBroken;
        connection.addShutdownListener(this::ended);
    }

    /** The connection, which may be closed. */
    public Connection connection() {
        return connection;
    }

    /**
     * Reports that the connection, or a channel of it that was in use, has ended. The client's exception handler may
     * have ended it; the signal then names this side.
     */
    public void ended(ShutdownSignalException signal) {
        markBroken(ConnectFailures.text(signal));
    }

    /** Marks the connection as broken. {@link RecoveringConnection} then closes it and connects again. */
    public void markBroken(String reason) {
        synchronized (this) {
            broken = broken.or(() -> Optional.of(reason));
        }
        onBroken.run();
    }

    /** Like {@link #markBroken}, for a connection on which the thread of {@link RecoveringConnection} may hang. */
    public void cut(String reason) {
        markBroken(reason);
        if (!sockets.cut()) {
            abortInBackground();
        }
    }

    /** Why the connection is broken; empty if it is not. */
    Optional<String> brokenBy() {
        return broken;
    }

    /** Closes the connection, in bounded time. */
    void close() {
        try {
            if (connection.isOpen()) {
                abortInBackground().join(TimeUnit.SECONDS.toMillis(1) + CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.cut();
        }
    }

    private Thread abortInBackground() {
        Thread closer = new Thread(() -> connection.abort(CLOSE_MILLIS), "feedkit-rabbitmq-close");
        closer.setDaemon(true);
        closer.start();
        return closer;
    }
}
