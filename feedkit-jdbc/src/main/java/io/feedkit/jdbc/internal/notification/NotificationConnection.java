package io.feedkit.jdbc.internal.notification;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens for notifications. Only this class uses the classes of PostgreSQL's driver. Not
 * thread-safe.
 */
final class NotificationConnection implements AutoCloseable {

    private final ConnectionSettings settings;
    private final PGConnection driver;
    private final String channel;
    private final Duration timeout;
    private final Duration silence;
    private long lastAnswerAt = System.nanoTime();
    private boolean broken;

    private NotificationConnection(
            ConnectionSettings settings, PGConnection driver, String channel, Duration timeout, Duration silence) {
        this.settings = settings;
        this.driver = driver;
        this.channel = channel;
        this.timeout = timeout;
        this.silence = silence;
    }

    /** Whether a connection unwraps to one of PostgreSQL's own driver. */
    static boolean isPossible(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class);
    }

    /** Takes a connection and starts to listen. Notifications arrive only outside of transactions. */
    static NotificationConnection open(DataSource dataSource, String channel, Duration timeout, Duration silence)
            throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            PGConnection driver = connection.unwrap(PGConnection.class);
            NotificationConnection opened = new NotificationConnection(
                    ConnectionSettings.change(connection, timeout), driver, channel, timeout, silence);
            opened.execute("LISTEN");
            return opened;
        } catch (SQLException | RuntimeException | LinkageError e) {
            ConnectionSettings.abort(connection, e);
            throw e;
        }
    }

    /** Waits for notifications, and returns their texts, in the order of the commits; none if none arrived in time. */
    List<String> await(Duration timeToWait) throws SQLException {
        try {
            List<String> texts = new ArrayList<>();
            for (PGNotification notification : driver.getNotifications((int) timeToWait.toMillis())) {
                lastAnswerAt = System.nanoTime();
                if (notification.getName().equals(channel)) {
                    texts.add(notification.getParameter());
                }
            }
            if (System.nanoTime() - lastAnswerAt > silence.toNanos()) {
                checkServer();
            }
            return texts;
        } catch (SQLException | RuntimeException e) {
            broken = true;
            throw e;
        }
    }

    private void checkServer() throws SQLException {
        if (!settings.connection().isValid((int) Math.max(1, timeout.toSeconds()))) {
            throw new SQLException("The server does not answer on the listening connection", "08006");
        }
        lastAnswerAt = System.nanoTime();
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = settings.connection().createStatement()) {
            statement.execute(command + " \"" + channel + "\"");
        }
    }

    /**
     * Restores the original settings, and closes the connection. Aborts a broken connection, so that no pool hands it
     * out again.
     */
    @Override
    public void close() throws SQLException {
        try (Connection connection = settings.connection()) {
            if (broken) {
                connection.abort(Runnable::run);
            } else {
                restore(connection);
            }
        }
    }

    private void restore(Connection connection) throws SQLException {
        try {
            execute("UNLISTEN");
            settings.restore();
        } catch (SQLException | RuntimeException e) {
            connection.abort(Runnable::run);
            throw e;
        }
    }
}
