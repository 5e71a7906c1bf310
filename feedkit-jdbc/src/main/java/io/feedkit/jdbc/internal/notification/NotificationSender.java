package io.feedkit.jdbc.internal.notification;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Sends notifications with a text, each as a transaction of its own. Thread-safe. */
public final class NotificationSender {

    private final DataSource dataSource;
    private final String channel;
    private final Duration timeout;

    /**
     * Creates a sender.
     *
     * @param timeout how long the statement may take; the wait for a connection is limited by the data source
     */
    public NotificationSender(DataSource dataSource, String channel, Duration timeout) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.timeout = timeout;
    }

    /**
     * Sends a text, in fewer than 8,000 bytes.
     *
     * @throws StoreUnavailableException if the database does not answer; the text may have been sent
     */
    public void send(String operation, String text) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                send(connection, text);
            } catch (Throwable e) {
                ConnectionSettings.abort(connection, e);
                throw e;
            }
            connection.close();
        } catch (SQLException e) {
            throw Failures.unavailable(operation, e);
        }
    }

    private void send(Connection connection, String text) throws SQLException {
        ConnectionSettings settings = ConnectionSettings.change(connection, timeout);
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, text);
            statement.execute();
        }
        settings.restore();
    }
}
