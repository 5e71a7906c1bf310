package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One open connection of a {@link Link}. Thread-safe. */
public final class Line {

    private static final int CLOSE_MILLIS = 1_000;

    private final Connection connection;
    private final Sockets sockets;
    private final Runnable onBroken;
    private volatile Optional<String> broken = Optional.empty();

    Line(Connection connection, Sockets sockets, Runnable onBroken) {
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
     * Says that the connection, or a channel of it that was in use, has ended. The client's exception handler may have
     * ended it, which counts as this side's doing.
     */
    public void ended(ShutdownSignalException signal) {
        breakOff(ConnectFailures.text(signal));
    }

    /** Says that the connection is of no use any more. The link closes it and connects again. */
    public void breakOff(String reason) {
        synchronized (this) {
            broken = broken.or(() -> Optional.of(reason));
        }
        onBroken.run();
    }

    /** Like {@link #breakOff}, for a connection on which the link's own thread may hang. */
    public void cut(String reason) {
        breakOff(reason);
        if (!sockets.cut()) {
            abortInBackground();
        }
    }

    /** Why the connection is of no use; empty while it is. */
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
