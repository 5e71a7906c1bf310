package io.feedkit.jdbc.survival;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Looks at the tables, and at the server, over connections of its own. */
final class Probe {

    private final String url;

    Probe(String url) {
        this.url = url;
    }

    /** Tasks that have been done for some of their readers, and not for all. */
    long halfDoneTasks() throws SQLException {
        return count("SELECT count(*) FROM feedkit_task WHERE due_at IS NOT NULL AND after_id <> ''");
    }

    /** Tasks that nobody has finished. */
    long unfinishedTasks() throws SQLException {
        return count("SELECT count(*) FROM feedkit_task WHERE due_at IS NOT NULL");
    }

    /**
     * Whole seconds, by the database's clock, for which the oldest open transaction that waits for its host has been
     * open.
     */
    long oldestHeldSeconds() throws SQLException {
        return count("SELECT floor(extract(epoch FROM max(clock_timestamp() - xact_start))) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND state = 'idle in transaction'");
    }

    /** Cuts all connections of others; how many there were. */
    long terminateOthers() throws SQLException {
        return count("SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** Connections that wait for a lock of somebody else's. */
    long waitingForLocks() throws SQLException {
        return count("SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0");
    }

    /** Deadlocks that the server has ended; a connection tells of its own with some delay. */
    long deadlocks() throws SQLException {
        return count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }

    long count(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(query)) {
            answer.next();
            return answer.getLong(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
